internal import HTTP2
package import History
package import Projects
internal import PushModel

/// Lists runs or pushes, the newest first.
package struct HistoryList: Sendable, Equatable {
  package var filter = HistoryFilter()
  /// Whether pushes are listed even if the filter asks for none.
  package var wantsPushes = false
  package var page = ListPage()
  /// What is printed in JSON; nil for a table.
  package var json: JSONFields?
  package var showsTokens = false
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> ExitCode {
    let listsPushes = wantsPushes || !filter.runs.isEmpty || filter.wantsPushes
    try json?.refuseUnknown(among: listsPushes ? Outputs.push : Outputs.run)
    let history = try filter.open(settings, context)
    var rows = ListedRows(page, asJSON: json != nil, to: context.output)
    if listsPushes {
      try answered(
        history.forEachPush(filter) { push in
          rows.add(line(of: push), push.row(showsToken: showsTokens))
        })
    } else {
      try answered(
        history.forEachRun(filter) { run in
          rows.add((json ?? .all).line(Report(parts: run.parts).json), run.row)
        })
    }
    rows.finish()
    tell(of: rows, context)
    return .success
  }

  /// Fields of millions of pushes are chosen only where some are wanted.
  private func line(of push: PushEntry) -> [UInt8] {
    guard let json, json != .all else { return push.jsonLine }
    return json.line(Report(parts: HistoryRecord(entry: push).parts).json)
  }

  /// On a terminal, no output could mean anything, and a list that was cut short could pass for all.
  private func tell(of rows: ListedRows, _ context: Context) {
    guard context.output.isTerminal else { return }
    context.output.flush()
    if rows.written == 0, json == nil {
      context.errors.write(
        rows.passed > 0 ? "No more rows.\n" : "Nothing in the history matches.\n")
    }
    if rows.isMore, let most = page.limit.most {
      context.errors.write(
        "More rows follow: use --skip \(page.skip.count + most), or --limit 0 for all.\n")
    }
  }
}

/// Which rows of a list are wanted.
package struct ListPage: Sendable, Equatable {
  package var skip = ListLimit(0)
  package var limit = ListLimit(20)
}

/// A number of rows.
package struct ListLimit: Sendable, Equatable {
  package let count: Int

  package init(_ count: Int) { self.count = count }

  /// The most rows; nil for all.
  var most: Int? { count == 0 ? nil : count }
}

/// Prints the rows of a page while they come: there may be millions.
struct ListedRows {
  /// How many rows are held, to find out how wide their columns are.
  static let block = 1000

  private let page: ListPage
  private let isJSON: Bool
  private let output: Output
  private var table: TextTable
  /// The rows that came, those that were skipped among them.
  private(set) var passed = 0
  private(set) var written = 0
  /// Whether there are rows behind the page.
  private(set) var isMore = false

  init(_ page: ListPage, asJSON isJSON: Bool, to output: Output) {
    (self.page, self.isJSON, self.output) = (page, isJSON, output)
    table = TextTable(style: Style(hasColor: output.hasColor))
  }

  var held: Int { table.count }

  /// Takes the next row.
  ///
  /// - Returns: whether another one is wanted.
  mutating func add(
    _ line: @autoclosure () -> [UInt8], _ row: @autoclosure () -> [Report.Part]
  ) -> Bool {
    isMore = written == page.limit.most
    defer { passed += 1 }
    if isMore || passed < page.skip.count { return !isMore }
    written += 1
    if isJSON {
      output.write(line())
    } else {
      table.add(row())
      if held == Self.block { finish() }
    }
    return true
  }

  mutating func finish() {
    for line in table.drain() { output.write(line + "\n") }
  }
}
