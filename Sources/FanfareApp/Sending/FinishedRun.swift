internal import HTTP2
internal import PlainText
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

  /// Opens what can fail before anything is sent, and changes no file.
  init(_ settings: Settings, showsProgress: Bool, _ context: Context) throws(Failure) {
    results = try settings.results.map { (path) throws(Failure) in
      try ResultFile(path.value, context)
    }
    deadTokens = try settings.deadTokens.map { (path) throws(Failure) in
      try DeadTokenFile(path.value)
    }
    // Now that both exist, it shows whether names that differ in case only are one file.
    if let results, let deadTokens, areSameFile(results.path, deadTokens.path) {
      throw .overwrites(option: "--dead-tokens", path: deadTokens.path)
    }
    skipped = SkippedLines("skipped rows", context, isQuiet: settings.quiet.isOn)
    let isSilent =
      settings.quiet.isOn || settings.json.isOn || settings.progress.isOff
      // Results on the same terminal show the progress.
      || settings.results?.value == "-" && context.output.isTerminal
    progress = ProgressLine(
      context.errors, clock: context.clock, isWanted: showsProgress && !isSilent)
  }

  /// Empties the files, or prepares them for more, once nothing else keeps the run from beginning.
  ///
  /// - Parameter continues: whether results are appended to those of an earlier run.
  mutating func begin(continues: Bool, _ settings: Settings, _ context: Context) throws(Failure) {
    let torn = [
      try results?.begin(continues: continues) ?? false ? results?.path : nil,
      try deadTokens?.begin(continues: continues) ?? false ? deadTokens?.path : nil,
    ].compactMap(\.self)
    if settings.quiet.isOn { return }
    for path in torn {
      context.say(
        "\(path.printable) ended in the middle of a line, which was removed; 'fanfare history "
          + "export' writes all results of a run.")
    }
  }

  /// Whether `--results` lacks some.
  var hasLostResults: Bool { results?.failure != nil }

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
