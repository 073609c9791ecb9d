internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import History
internal import Projects
internal import PushModel

/// `fanfare history show`
struct HistoryShowCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show a run, or the request and the answer of a push.",
    discussion: """
      Defaults to the newest run. The history never contains the provider token. A payload that \
      was filled from a row is rebuilt from its list, unless the run kept payloads.
      """,
    examples: [
      Example("fanfare history show", "The newest run."),
      Example("fanfare history show 12", "Run 12."),
      Example(
        "fanfare history show 6b1f0c52-93a7-4e1d-8d2c-000000000001",
        "A push with its request and its answer."),
    ])

  var place: HistoryPlace?
  var json = false
  var showTokens = false
  var history = Settings()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Show",
        [
          .arguments("run-or-id", \.place, help: "What to show; defaults to the newest run."),
          .flag("json", \.json, help: "Print one JSON object."),
          .flag("show-tokens", \.showTokens, help: "Show whole device tokens."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.history)]

  func run(_ context: Context) throws -> ExitCode {
    let reader = try history.openHistory(context)
    switch place {
    case .run(let number): try show(try reader.storedRun(number), reader, context)
    case .push(let id): try show(id, reader, context)
    case nil:
      let newest = try reader.asking { (history) throws(HistoryError) in try history.newestRun() }
      guard let newest else { throw Failure.history(.empty(path: reader.path)) }
      try show(StoredRun(newest), reader, context)
    }
    return .success
  }

  private func show(
    _ stored: StoredRun, _ reader: any HistoryStore, _ context: Context
  ) throws(Failure) {
    let resends = try reader.asking { (history) throws(HistoryError) in
      try history.resends(of: stored.entry.run)
    }
    let next = json ? nil : resumeHint(stored, reader, context)
    let shown = StoredRunReport(stored: stored, resentBy: resends, next: next)
    _ = context.tell(shown.report, asJSON: json)
  }

  /// The command that goes on with a run of which something is left; nil when none does, or a process
  /// sends it.
  private func resumeHint(
    _ stored: StoredRun, _ reader: any HistoryStore, _ context: Context
  ) -> String? {
    let (entry, now) = (stored.entry, context.clock.epochMilliseconds())
    let isLeft =
      entry.state == .running || entry.state == .interrupted || entry.openCount(at: now) > 0
    // Where another run sends the same pushes now there is nothing to do but to wait.
    guard isLeft, !reader.isBeingSent(entry.run),
      let since = try? SentSince(of: entry, in: reader, now: now), since.isEmpty || !since.isAll
    else { return nil }
    let run = since.isEmpty ? entry.run : since.source
    return ResumeHint(run: run.rawValue, history: history.history?.value, due: nil)
      .command(resending: !since.isEmpty)
  }

  /// The newest run that has the push.
  private func show(
    _ id: APNSID, _ reader: any HistoryStore, _ context: Context
  ) throws(Failure) {
    let push = try reader.storedPush(id)
    let stored = try reader.storedRun(push.run)
    let request = try StoredRequest(of: push, in: stored, reader)
    let shown = StoredPushReport(
      push: push, stored: stored, request: request, showsToken: showTokens)
    _ = context.tell(shown.report, asJSON: json)
  }
}
