internal import CommandLineKit
internal import History
internal import Projects
internal import PushModel

/// `fanfare history list`
struct HistoryListCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "list", "List runs or pushes, newest first.",
    discussion: """
      Lists runs. Lists pushes if run numbers are given, or if an outcome, a reason, a device \
      token or an apns-id is asked for.
      """,
    examples: [
      Example("fanfare history list --since 2h", "The runs of the last two hours."),
      Example("fanfare history list 12 --outcome rejected", "The rejected pushes of run 12."),
      Example("fanfare history list --token 4f1c09ab", "All pushes to a device."),
      Example(
        "fanfare history list --reason BadDeviceToken --json --limit 1000",
        "Up to a thousand pushes as JSON Lines."),
    ])

  var runs: [RunArgument] = []
  var filter = HistoryFilterOptions()
  var pushes = false
  var limit = ListLimit(20)
  var skip = ListLimit(0)
  var json = false
  var showTokens = false
  var history = Settings()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "List",
        [
          .arguments("run", \.runs, help: "List the pushes of these runs."),
          .flag("pushes", \.pushes, help: "List pushes in any case."),
          .option("limit", \.limit, value: "N", help: "Maximum number of rows; 0 for all."),
          .option("skip", \.skip, value: "N", help: "Skip this many rows first."),
          .flag("json", \.json, help: "Print one JSON object per line."),
          .flag("show-tokens", \.showTokens, help: "Show whole device tokens."),
        ])
    ] + [
      HistoryFilterOptions.group.inside(\Self.filter),
      SettingOptions.historyPlace.inside(\Self.history),
    ]

  func run(_ context: Context) throws -> ExitCode {
    let reader = try history.openHistory(context)
    try filter.warnOfUnknownWords(in: reader, context)
    let filter = try filter.filter(of: runs, in: reader, context)
    let style = Style(hasColor: context.output.hasColor)
    if pushes || !runs.isEmpty || filter.wantsPushes {
      try list(reader, context, { (push: PushEntry) in push.jsonLine }) {
        ReportText(style: style).text(
          of: [.table(nil, $0.map { $0.row(showsToken: showTokens) })])
      } rows: { (history, body) throws(HistoryError) in
        try history.forEachPush(filter, body)
      }
    } else {
      try list(reader, context, { (run: RunEntry) in ReportJSON.bytes(Report(parts: run.json)) }) {
        ReportText(style: style).text(of: [.table(nil, $0.map(\.row))])
      } rows: { (history, body) throws(HistoryError) in
        try history.forEachRun(filter, body)
      }
    }
    return .success
  }

  /// Prints a page of rows: JSON as they come, for there may be many; a table when they are there.
  private func list<Row>(
    _ reader: any HistoryStore, _ context: Context, _ line: @escaping (Row) -> [UInt8],
    table: ([Row]) -> String, rows: (any HistoryStore, (Row) -> Bool) throws(HistoryError) -> Void
  ) throws(Failure) {
    var page = ListPage(skip: skip.count, limit: limit.most)
    var found: [Row] = []
    try reader.asking { (history) throws(HistoryError) in
      try rows(history) { row in
        if page.holdsNext, json { context.output.write(line(row)) }
        if page.holdsNext, !json { found.append(row) }
        return page.goesOn()
      }
    }
    if !found.isEmpty { context.output.write(table(found)) }
    if found.isEmpty { sayNothing(page, context) }
    if page.isMore { sayMore(context) }
  }

  /// On a terminal, no output could mean anything.
  private func sayNothing(_ page: ListPage, _ context: Context) {
    guard !json, context.output.isTerminal else { return }
    context.errors.write(
      page.isPassed ? "No more rows.\n" : "Nothing in the history matches.\n")
  }

  /// A list that was cut short should not pass for all of it.
  private func sayMore(_ context: Context) {
    context.output.flush()
    guard context.output.isTerminal, let most = limit.most else { return }
    context.errors.write(
      "More rows follow: use --skip \(skip.count + most), or --limit 0 for all.\n")
  }
}

/// How many rows of a list.
struct ListLimit: ArgumentValue, Equatable {
  let count: Int

  init(_ count: Int) { self.count = count }

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), count >= 0 else { throw .expected("a whole number from 0") }
    self.count = count
  }

  var argumentText: String { String(count) }

  /// The most rows; nil for all.
  var most: Int? { count == 0 ? nil : count }
}

/// Which of the rows that come are on the page.
private struct ListPage {
  private let skip: Int
  private let limit: Int?
  private var passed = 0

  init(skip: Int, limit: Int?) {
    self.skip = skip
    self.limit = limit
  }

  /// Whether the next row is on the page.
  var holdsNext: Bool { passed >= skip && !isFull }

  /// Whether there were rows before the page.
  var isPassed: Bool { passed > 0 }

  /// Whether there are rows behind the page.
  private(set) var isMore = false

  private var isFull: Bool { limit.map { passed >= skip + $0 } ?? false }

  /// Passes the next row.
  ///
  /// - Returns: whether another one is wanted.
  mutating func goesOn() -> Bool {
    isMore = isFull
    passed += 1
    return !isMore
  }
}
