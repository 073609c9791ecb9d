internal import APNS
internal import HTTP2
internal import History
internal import PlainText
internal import PushModel
package import Reporting
package import Runs
package import Settings

/// A run after its last push, not yet closed in the history.
package struct FinishedRun {
  package var summary: SummaryReport
  let recorded: RecordedRun
  package let outputs: RunOutputs
  /// What the history lacks of it once it is closed; nil when it has all.
  package var unrecorded: Unrecorded?
}

/// Results that the history does not have.
package struct Unrecorded {
  let error: HistoryError
  /// The file in which they are; nil when there is none.
  var saved: String?

  /// Where they are, in a sentence; nil when they are nowhere.
  var place: String? { saved.map { "The results that it lacks are in \($0)." } }

  /// The sending itself was done and would have ended with `code`.
  package func failure(after code: ExitCode) -> Failure {
    let fix = [error.fix, place].compactMap(\.self).joined(separator: " ")
    return Failure(error.sentence, fix: fix, .merged([code, .failure]), cause: error)
  }
}

/// What a run writes and shows while it goes on.
package struct RunOutputs {
  private var results: ResultFile?
  private var lines: ResultFile?
  private var deadTokens: DeadTokenFile?
  private(set) var progress: ProgressLine
  package let skipped: SkippedLines
  /// Tells of pauses; nil when not asked for.
  private let teller: Context?
  private var isPaused = false
  /// Device tokens for the reports of a scenario; nil where there is none.
  package private(set) var examples: PushExamples?

  /// Opens what can fail before anything is sent, and changes no file.
  ///
  /// - Parameter step: the step of a scenario that is sent; nil without one.
  package init(
    _ settings: Settings, of step: ResultStep? = nil, showsProgress: Bool, _ context: Context
  ) throws(Failure) {
    let listed = settings.listed
    results = try settings.results.map { (path) throws(Failure) in
      try ResultFile(path.value, of: step, listing: listed, context)
    }
    examples = step.map { _ in PushExamples(showsTokens: settings.showTokens.isOn) }
    lines = try settings.lineTemplate(isOfStep: step != nil, context).map {
      (template) throws(Failure) in
      try ResultFile(template, of: step, listing: listed, context)
    }
    deadTokens = try settings.deadTokens.map { (path) throws(Failure) in
      try DeadTokenFile(path.value, listing: listed)
    }
    // Now that both exist, it shows whether names that differ in case only are one file.
    if let results, let deadTokens, areSameFile(results.path, deadTokens.path) {
      throw .overwrites(option: "--dead-tokens", path: deadTokens.path)
    }
    teller = settings.verbose.isOn ? context : nil
    skipped = SkippedLines("skipped rows", context, isQuiet: settings.quiet.isOn)
    let isSilent =
      settings.quiet.isOn || settings.json.isOn || settings.progress.isOff
      // Results on the same terminal show the progress.
      || settings.resultsTakeOutput && context.output.isTerminal
    progress = ProgressLine(
      context.errors, clock: context.clock, isWanted: showsProgress && !isSilent)
  }

  /// Empties the files, or prepares them for more, once nothing else keeps the run from beginning.
  ///
  /// - Parameters:
  ///   - run: the run that goes on: results are appended to those of earlier passes. Nil for a new one.
  ///   - appending: whether what is in the files stays in any case.
  mutating func begin(
    continuing run: CommittedRun?, appending: Bool, _ settings: Settings, _ context: Context
  ) throws(Failure) {
    let continues = run != nil || appending
    let torn = [
      try results?.begin(continues: continues) ?? false ? results?.path : nil,
      try deadTokens?.begin(continues: continues) ?? false ? deadTokens?.path : nil,
    ].compactMap(\.self)
    let added = try run.map { (run) throws(Failure) in try complete(from: run) } ?? 0
    if settings.quiet.isOn { return }
    for path in torn {
      context.say("\(path.printable) ended in the middle of a line, which was removed.")
    }
    if added > 0, let path = results?.path {
      context.say(
        "\(path.printable) lacked \(counted(added, "result")) of earlier passes, which the history had."
      )
    }
  }

  /// Adds what a kill has kept from the files.
  ///
  /// - Returns: how many results.
  private mutating func complete(from run: CommittedRun) throws(Failure) -> Int {
    try deadTokens?.complete(from: run)
    return try results?.complete(from: run) ?? 0
  }

  /// With `--results`, begins another pass of a run, and adds a line for each push that this makes
  /// unknown: the last pass may have sent it again before it was killed. The commit comes first; after
  /// a kill in between, the next `resume` adds the lines.
  mutating func begin(
    passOf run: CommittedRun, _ recorded: RecordedRun
  ) throws(Failure) {
    if results == nil { return }
    let last = try run.commit()?.number ?? 0
    try recorded.beginPass()
    try results?.add(after: last, of: run)
  }

  /// Whether files are written to while the results come.
  var hasFiles: Bool { results != nil || deadTokens != nil }

  /// Whether `--results` lacks some.
  var hasLostResults: Bool { results?.failure != nil }

  /// Why a result could not be written; nil while all could.
  var failure: FileFailure? { results?.failure ?? deadTokens?.failure ?? lines?.failure }

  /// The file of dead device tokens and how many are in it; nil without one.
  var dead: (path: String, count: Int)? { deadTokens.map { ($0.path, $0.count) } }

  /// - Parameter pause: for how many seconds nothing will be sent; nil when it may be.
  mutating func write(
    _ batch: [PushResult], _ summary: RunSummary, _ identity: RunIdentity, inFlight: Int,
    pause: Int?
  ) {
    for result in batch where result.outcome == .skipped { _ = skipped.reports(result.push) }
    examples?.add(batch)
    let told = batch.contains(where: \.leavesEarlier) ? batch.filter { !$0.leavesEarlier } : batch
    results?.write(told, apnsID: identity.apnsID)
    lines?.write(told, apnsID: identity.apnsID)
    deadTokens?.write(batch)
    tell(pause)
    progress.update(summary, inFlight: inFlight, pause: pause)
  }

  private mutating func tell(_ pause: Int?) {
    if let pause, !isPaused {
      teller?.say("The server asks to wait (Retry-After): nothing is sent for \(grouped(pause)) s.")
    }
    isPaused = pause != nil
  }
}

/// The device tokens of the first pushes that came to the same.
package struct PushExamples {
  private static let limit = 3

  private let showsTokens: Bool
  /// As they are shown.
  package private(set) var tokens: [Miss.Came: [String]] = [:]
  /// Most pushes are accepted: they need not be looked at for long.
  private var hasAccepted = false

  init(showsTokens: Bool) { self.showsTokens = showsTokens }

  mutating func add(_ batch: [PushResult]) {
    for result in batch where result.outcome != .accepted || !hasAccepted {
      let came = Miss.Came(result)
      let known = tokens[came, default: []]
      if known.count < Self.limit {
        tokens[came] = known + [result.push.recipient(showsToken: showsTokens)]
      } else if came == .accepted {
        hasAccepted = true
      }
    }
  }
}
