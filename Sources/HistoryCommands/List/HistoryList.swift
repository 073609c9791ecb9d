internal import HTTP2
package import History
internal import JSONText
internal import PushModel
package import Reporting
internal import Runs
internal import SQLHistory
package import Settings

/// Lists runs or pushes, newest first.
package struct HistoryList: Sendable, Equatable {
  package var filter = HistoryFilter()
  /// Lists pushes even if the filter does not select any.
  package var wantsPushes = false
  /// Prints only run numbers, one per line, for shells.
  package var onlyNumbers = false
  package var page = ListPage()
  /// The fields to print in JSON; nil for a table.
  package var json: JSONFields?
  package var showsTokens = false
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    if onlyNumbers, json != nil { throw .conflict("--json", "--numbers") }
    if onlyNumbers, wantsPushes { throw .conflict("--numbers", "--pushes") }
    let listsPushes = !onlyNumbers && (wantsPushes || !filter.runs.isEmpty || filter.wantsPushes)
    let history = try filter.open(settings, context)
    try refuseUnknownFields(listsPushes, in: history)
    // The history skips pushes itself: there may be millions.
    let shown = listsPushes ? ListPage(limit: page.limit) : page
    var rows = ListedRows(shown, inTable: json == nil && !onlyNumbers, context.teller)
    if listsPushes {
      try listPushes(of: history, into: &rows, context)
    } else {
      try listRuns(of: history, into: &rows)
    }
    rows.finish()
    return Report().followed(by: hints(for: rows, context))
  }

  private func listRuns(of history: HistoryReader, into rows: inout ListedRows) throws(Failure) {
    let resends = Dictionary(grouping: onlyNumbers ? [] : try history.resends()) {
      $0.record.resends
    }
    try history.forEachStoredRun(filter) { (entry) throws(Failure) in
      let run = ListedRun(
        entry: entry, resends: Resends(of: entry, among: resends[entry.run] ?? []))
      return try rows.add(
        line(of: run), run.row(try history.onlyPush(of: entry), showsToken: showsTokens))
    }
  }

  private func line(of run: ListedRun) -> [UInt8] {
    onlyNumbers
      ? Array("\(run.entry.run)\n".utf8) : (json ?? .all).line(run.jsonValue)
  }

  private func refuseUnknownFields(
    _ listsPushes: Bool, in history: HistoryReader
  ) throws(Failure) {
    guard let json, json != .all else { return }
    let listed = listsPushes ? try columns(in: history) : []
    try json.refuseUnknown(among: listsPushes ? Outputs.push : Outputs.run, listed)
  }

  /// Filters the fields only if some were chosen: there may be millions of pushes.
  private func line(of push: DescribedPush) -> [UInt8] {
    guard let json, json != .all else { return push.jsonLine }
    return json.line(push.jsonValue)
  }

  /// Holds as many pushes as a page: their rows are reread in the order of the lists.
  private func listPushes(
    of history: HistoryReader, into rows: inout ListedRows, _ context: Context
  ) throws(Failure) {
    // A table of arbitrary runs would have columns that most of them lack.
    let columns = filter.runs.isEmpty ? [] : try columns(in: history)
    let most = min(page.limit.most ?? .max, Self.block) + 1
    var (reader, held) = (RowFactReader(in: history, context), [PushEntry]())
    let skipped = try history.forEachStoredPush(
      filter, newestFirst: true, skipping: page.skip.count
    ) { (push) throws(Failure) in
      held.append(push)
      if held.count < most { return true }
      defer { held.removeAll(keepingCapacity: true) }
      return try reader.tell(held) { (push) throws(Failure) in
        try add(push, columns, to: &rows)
      }
    }
    _ = try reader.tell(held) { (push) throws(Failure) in try add(push, columns, to: &rows) }
    rows.pass(skipped)
    rows.finish()
    context.teller.warn(reader.warnings)
  }

  private func add(
    _ push: DescribedPush, _ columns: [String], to rows: inout ListedRows
  ) throws(Failure) -> Bool {
    try rows.add(line(of: push), push.row(showsToken: showsTokens, columns))
  }

  /// The list columns of the named runs, or of all, even if none of their pushes match.
  private func columns(in history: HistoryReader) throws(Failure) -> [String] {
    var runs = HistoryFilter()
    runs.runs = filter.runs
    return try history.columns(of: runs)
  }

  /// The approximate maximum number of pushes held.
  private static let block = 16_384

  /// Lines for a terminal if the list is empty or truncated, which would not be obvious. Elsewhere
  /// only if it is truncated and no limit was given: a script may take it for the whole.
  private func hints(for rows: ListedRows, _ context: Context) -> [Report.Part] {
    let isTerminal = context.teller.data.isTerminal
    var hints: [StyledText] = []
    if rows.written == 0, json == nil, isTerminal {
      hints.append(rows.passed > 0 ? "No more rows." : "Nothing in the history matches.")
    }
    if rows.isMore, let most = page.limit.most, isTerminal || page.limit == ListPage().limit {
      hints.append(
        "Only \(most) rows: more follow. Use --skip \(page.skip.count + most), or --limit 0 for all."
      )
    }
    return hints.isEmpty ? [] : [.lines(hints)]
  }
}

/// The part of a list to show.
package struct ListPage: Sendable, Equatable {
  package var skip = ListLimit(0)
  package var limit = ListLimit(20)
}

/// A number of rows.
package struct ListLimit: Sendable, Equatable {
  package let count: Int

  package init(_ count: Int) { self.count = count }

  /// The maximum number of rows; nil for all.
  var most: Int? { count == 0 ? nil : count }
}

/// Prints the rows of a page as they arrive: there may be millions.
struct ListedRows {
  /// The number of rows held to determine the column widths.
  static let block = 1000

  private let page: ListPage
  private let isTable: Bool
  private let output: Output
  private var table: TextTable
  /// The number of rows so far, including skipped ones.
  private(set) var passed = 0
  private(set) var written = 0
  /// There are more rows after the page.
  private(set) var isMore = false

  /// - Parameter isTable: true to print the rows, false to print the lines.
  init(_ page: ListPage, inTable isTable: Bool, _ teller: Teller) {
    (self.page, self.isTable, output) = (page, isTable, teller.data)
    table = TextTable(style: teller.style, width: output.tableWidth)
  }

  var held: Int { table.count }

  /// Takes the next row.
  ///
  /// - Returns: true if another row is wanted.
  mutating func add(
    _ line: @autoclosure () -> [UInt8], _ row: @autoclosure () throws(Failure) -> [Report.Part]
  ) throws(Failure) -> Bool {
    isMore = written == page.limit.most
    defer { passed += 1 }
    if isMore || passed < page.skip.count { return !isMore }
    written += 1
    if isTable {
      table.add(try row())
      if held == Self.block { finish() }
    } else {
      output.write(line())
    }
    return true
  }

  /// Counts rows that were skipped before they got here.
  mutating func pass(_ count: Int) { passed += count }

  mutating func finish() {
    for line in table.drain() { output.write(line + "\n") }
  }
}
