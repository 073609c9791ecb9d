internal import CommandLineKit
internal import HTTP2
internal import History
internal import PlainText
internal import Projects
internal import PushEmulator
internal import PushModel

/// `fanfare history tail`
struct HistoryTailCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "tail", "Follow runs while they are sent, by any process.",
    discussion: """
      Prints a line when a run begins, when a push gets its result, and when a run ends. Starts \
      with the last results. With a run number, exits when that run has ended (exit code 4 if it \
      has not, but no process sends it any more); otherwise at Ctrl-C.
      """,
    examples: [
      Example("fanfare history tail", "Everything that is sent from now on."),
      Example("fanfare history tail 12 --lines 0", "Run 12 until it ends."),
      Example("fanfare history tail --outcome rejected --json", "Rejections as JSON Lines."),
    ])

  var run: RunArgument?
  var lines = ListLimit(10)
  var json = false
  var showTokens = false
  var environment: String?
  var scenario: String?
  var outcomes: [OutcomeArgument] = []
  var reasons: [String] = []
  var history = Settings()

  static let groups: [OptionGroup<Self>] = [
    OptionGroup<Self>(
      "Tail",
      [
        .arguments("run", \.run, help: "Follow this run until it ends."),
        .option(
          "lines", \.lines, value: "N", help: "Number of earlier results to print first."),
        .flag("json", \.json, help: "Print one JSON object per line."),
        .flag("show-tokens", \.showTokens, help: "Show whole device tokens."),
      ]),
    OptionGroup<Self>(
      "Which",
      [
        .option(
          "env", \.environment, value: "NAME", help: "Runs in this environment, or at this URL."),
        .option("scenario", \.scenario, value: "NAME", help: "Runs of this scenario."),
        .option("outcome", \.outcomes, value: "OUTCOME", help: "Pushes with this outcome."),
        .option("reason", \.reasons, value: "REASON", help: "Pushes with this reason."),
      ]), SettingOptions.historyPlace.inside(\Self.history),
  ]

  func run(_ context: Context) throws -> ExitCode {
    guard let ended = Wake() else { throw Failure.emulator(.outOfDescriptors) }
    context.signals.take { ended.call() }
    let reader = try history.openHistory(context)
    if let run { _ = try reader.storedRun(run.number) }
    try words.warnOfUnknownWords(in: reader, context)
    do throws(HistoryError) {
      var tail = try Tail(reader, filter, watching: run?.number)
      let writer = EventWriter(asJSON: json, showsTokens: showTokens, context)
      try tail.begin(last: lines.count, writer)
      if reader.isAtRest { return sayAtRest(reader, context) }
      return try tail.follow(writer, context, ended)
    } catch {
      throw Failure.history(error)
    }
  }

  /// There is nothing to wait for.
  private func sayAtRest(_ reader: any HistoryStore, _ context: Context) -> ExitCode {
    context.output.flush()
    context.errors.write(
      """
      \(reader.path.printable): read-only and not in use, so there is nothing to follow: later \
      changes would not be visible.

      """)
    return run.map { reader.isFinished($0.number) } ?? true ? .success : .unfinished
  }

  private var words: HistoryFilterOptions {
    HistoryFilterOptions(environment: environment, scenario: scenario, reasons: reasons)
  }

  private var filter: HistoryFilter {
    var filter = HistoryFilter()
    filter.runs = Set([run?.number].compactMap(\.self))
    filter.environment = environment
    filter.scenario = scenario
    filter.outcomes = Set(outcomes.map(\.outcome))
    filter.reasons = reasons
    return filter
  }
}

/// Looks at a history again and again.
private struct Tail {
  /// How long to wait between two looks, in milliseconds.
  private static let pause = 200

  /// After so many looks at which nothing was new, it is asked whether the run is sent at all.
  private static let patience = 25

  private let reader: any HistoryStore
  private let follower: any HistoryFollower
  private let run: RunNumber?
  private var idleLooks = Self.patience

  /// - Parameter run: the run at whose end this ends; nil for none.
  init(
    _ reader: any HistoryStore, _ filter: HistoryFilter, watching run: RunNumber?
  ) throws(HistoryError) {
    follower = try reader.follower(filter)
    self.reader = reader
    self.run = run
  }

  func begin(last count: Int, _ writer: EventWriter) throws(HistoryError) {
    for push in try follower.begin(last: count) { writer.write(.push(push)) }
    if let run, follower.hasEnded(run), let entry = try reader.run(run) {
      writer.write(.ended(entry))
    }
  }

  /// Follows until somebody or something ends it.
  mutating func follow(
    _ writer: EventWriter, _ context: Context, _ wake: Wake
  ) throws(HistoryError) -> ExitCode {
    while true {
      try look(writer)
      context.output.flush()
      if let code = context.signals.received { return code }
      if context.output.isReaderGone || context.output.failure != nil { return .success }
      if let run, follower.hasEnded(run) { return .success }
      if try isAbandoned() { return .unfinished }
      context.clock.wait(wake, Self.pause)
    }
  }

  private mutating func look(_ writer: EventWriter) throws(HistoryError) {
    idleLooks += 1
    try follower.look { event in
      idleLooks = 0
      writer.write(event)
    }
  }

  /// Whether the process that sent the run has died, or the run was removed.
  private mutating func isAbandoned() throws(HistoryError) -> Bool {
    guard let run, idleLooks >= Self.patience else { return false }
    idleLooks = 0
    guard try reader.run(run) != nil else { throw .noSuchRun(run) }
    return !reader.isBeingSent(run)
  }
}

extension HistoryStore {
  /// Whether a run has come to an end, as far as can be seen.
  fileprivate func isFinished(_ number: RunNumber) -> Bool {
    (try? run(number))?.state.map { $0 != .running } ?? false
  }
}
