internal import HTTP2
internal import Projects
internal import PushModel

/// A run after its last push, not yet closed in the history.
struct FinishedRun {
  var summary: SummaryReport
  let recorded: RecordedRun
  let outputs: RunOutputs
}

/// What a run writes and shows while it goes on.
struct RunOutputs {
  private var results: ResultFile?
  private var deadTokens: DeadTokenFile?
  private(set) var progress: ProgressLine
  let skipped: SkippedLines

  /// Opens what can fail before anything is sent.
  ///
  /// - Parameter continues: whether results are appended to those of an earlier run.
  init(
    _ settings: Settings, continues: Bool, showsProgress: Bool, _ context: Context
  ) throws(Failure) {
    if let path = settings.results?.value {
      results = try ResultFile(path, continues: continues, context)
    }
    if let path = settings.deadTokens?.value {
      deadTokens = try DeadTokenFile(path, continues: continues)
    }
    skipped = SkippedLines("skipped rows", context, isQuiet: settings.quiet.isOn)
    let isSilent =
      settings.quiet.isOn || settings.json.isOn
      // Results on the same terminal show the progress.
      || settings.results?.value == "-" && context.output.isTerminal
    progress = ProgressLine(
      context.errors, clock: context.clock, isWanted: showsProgress && !isSilent)
  }

  /// Why a result could not be written; nil while all could.
  var failure: FileFailure? { results?.failure ?? deadTokens?.failure }

  /// The file of dead device tokens and how many are in it; nil without one.
  var dead: (path: String, count: Int)? { deadTokens.map { ($0.path, $0.count) } }

  mutating func write(
    _ batch: [PushResult], _ summary: RunSummary, _ identity: RunIdentity, inFlight: Int
  ) {
    for result in batch where result.outcome == .skipped { _ = skipped.reports(result.push) }
    results?.write(batch, apnsID: identity.apnsID)
    deadTokens?.write(batch)
    progress.update(summary, inFlight: inFlight)
  }
}
