internal import HTTP2
internal import History
internal import PlainText
internal import PushModel
package import Reporting
package import Settings

/// The files and the display that a run updates.
package final class RunOutputs {
  private var results: ResultFile?
  private var lines: ResultFile?
  private var deadTokens: DeadTokenFile?
  private var progress: ProgressLine
  package let skipped: SkippedLines
  private let teller: Teller
  private var isPaused = false
  /// Device tokens for the reports of a scenario; nil otherwise.
  package private(set) var examples: PushExamples?

  /// Opens everything that can fail before anything is sent, without changing a file.
  ///
  /// - Parameters:
  ///   - step: the scenario step being sent; nil without a scenario.
  ///   - isLogged: progress is told elsewhere than on a terminal too.
  package init(
    _ choices: OutputChoices, of step: ResultStep? = nil, showsProgress: Bool,
    isLogged: Bool = true, _ context: Context
  ) throws(Failure) {
    let listed = choices.listed
    results = try choices.results.map { (path) throws(Failure) in
      try ResultFile(path, as: choices.resultsFormat, of: step, listing: listed, context)
    }
    examples = step.map { _ in PushExamples(showsTokens: choices.showsTokens) }
    lines = try choices.template.map { (template) throws(Failure) in
      try ResultFile(template, of: step, listing: listed, context)
    }
    deadTokens = try choices.deadTokens.map { (path) throws(Failure) in
      try DeadTokenFile(path, listing: listed)
    }
    // Only now that both exist can names that differ in case be found to mean one file.
    if let results, let deadTokens, areSameFile(results.path, deadTokens.path) {
      throw .overwrites(option: "--dead-tokens", path: deadTokens.path)
    }
    teller = context.teller
    if choices.form.isJSON { teller.data.require(FileFailure.results) }
    skipped = SkippedLines("skipped rows", context.teller)
    progress = ProgressLine(
      context.teller, clock: context.clock, isWanted: showsProgress && choices.showsProgress,
      isLogged: isLogged)
  }

  /// Empties the files, or prepares them for appending, as the last step before the run starts.
  ///
  /// - Parameters:
  ///   - run: the run to continue, whose results are appended to; nil for a new one.
  ///   - appending: whether to keep the files' contents in any case.
  func begin(continuing run: CommittedRun?, appending: Bool) throws(Failure) {
    let continues = run != nil || appending
    let torn = [
      try results?.begin(continues: continues) ?? false ? results?.path : nil,
      try deadTokens?.begin(continues: continues) ?? false ? deadTokens?.path : nil,
    ].compactMap(\.self)
    for path in torn {
      teller.note("\(path.printable) ended in the middle of a line, which was removed.")
    }
    if let run { try complete(from: run) }
  }

  /// Adds the results that are missing from the files, because a process was killed, or a pass did
  /// not write them.
  private func complete(from run: CommittedRun) throws(Failure) {
    let added = [
      (try results?.complete(from: run) ?? 0, "result", results?.path),
      (try deadTokens?.complete(from: run) ?? 0, "dead token", deadTokens?.path),
    ]
    for case (let count, let what, let path?) in added where count > 0 {
      teller.note(
        "\(path.printable) lacked \(counted(count, what)) of earlier passes, which the history had."
      )
    }
    guard let results, results.isNew, added[0].0 == 0, try run.commit() != nil else { return }
    teller.note(
      "\(results.path.printable) gets the results of this pass. Once nothing is left to send, the same "
        + "command adds those of earlier passes.")
  }

  /// Begins another pass of a run, if there is a `--results` file, and adds a line for each push
  /// that becomes unknown by that: the last pass may have resent it before it was killed. The
  /// commit comes first; after a kill in between, the next `resume` adds the lines.
  func begin(
    passOf run: CommittedRun, _ recorded: RecordedRun
  ) throws(Failure) {
    if results == nil { return }
    let last = try run.commit()?.number ?? 0
    try recorded.beginPass()
    try results?.add(after: last, of: run)
  }

  /// Results are written to files as they arrive.
  var hasFiles: Bool { results != nil || deadTokens != nil }

  /// Results are missing from the `--results` file.
  var hasLostResults: Bool { results?.failure != nil }

  /// The first failure to write each of the files that are incomplete.
  var failures: [FileFailure] {
    [results?.failure, deadTokens?.failure, lines?.failure].compactMap(\.self)
  }

  /// What became of the file of dead device tokens; nil without one.
  var dead: DeadTokenFigures? {
    deadTokens.map { DeadTokenFigures(path: $0.path, count: $0.count, lost: $0.lost) }
  }

  /// The milliseconds after which progress is told without results; nil if none is told.
  var tick: Int? { progress.isWanted ? 1000 : nil }

  func write(
    _ batch: PushResults, _ summary: RunSummary, _ identity: RunIdentity,
    _ standing: RunStanding
  ) {
    let others = batch.others
    for result in others where result.outcome == .skipped { _ = skipped.reports(result.push) }
    examples?.add(batch)
    let isWhole = !others.contains(where: \.leavesEarlier)
    let told = isWhole ? batch : PushResults(batch.filter { !$0.leavesEarlier })
    results?.write(told, apnsID: identity.apnsID)
    lines?.write(told, apnsID: identity.apnsID)
    deadTokens?.write(others)
    tell(standing.pause)
    progress.update(percent: summary.percentDone) { summary.progressText(standing, $0) }
  }

  /// The last result was written.
  func end() { progress.clear() }

  private func tell(_ pause: Int?) {
    if let pause, !isPaused {
      teller.detail(
        "The server asks to wait (Retry-After): nothing is sent for \(grouped(pause)) s.")
    }
    isPaused = pause != nil
  }
}

/// How many device tokens are in the file of dead ones.
package struct DeadTokenFigures: Sendable {
  let path: String
  let count: Int
  /// Those that could not be written.
  let lost: Int

  /// `63 in dead.txt, 37 could not be written`.
  ///
  /// - Parameter pass: the pass of the run that wrote them.
  func words(pass: Int) -> String {
    "\(grouped(count)) \(pass == 1 ? "" : "in this pass, ")in \(path)"
      + (lost > 0 ? ", \(grouped(lost)) could not be written" : "")
  }
}

/// The device tokens of the first pushes with each result.
package struct PushExamples {
  private static let limit = 3

  private let showsTokens: Bool
  /// The tokens as shown.
  package private(set) var tokens: [UnmetExpectation.Came: [String]] = [:]
  /// Set once there are enough accepted examples, so that the many accepted pushes cost little.
  private var hasAccepted = false

  init(showsTokens: Bool) { self.showsTokens = showsTokens }

  mutating func add(_ batch: PushResults) {
    if hasAccepted { add(batch.others) } else { add(Array(batch)) }
  }

  mutating func add(_ batch: [PushResult]) {
    for result in batch where result.outcome != .accepted || !hasAccepted {
      let came = UnmetExpectation.Came(result)
      let known = tokens[came, default: []]
      if known.count < Self.limit {
        tokens[came] = known + [result.push.recipient(showsToken: showsTokens)]
      } else if came == .accepted {
        hasAccepted = true
      }
    }
  }
}
