package import APNS
internal import HTTP2
package import History
internal import JSONText
internal import PlainText
package import PushModel
package import Reporting
package import SQLHistory
package import Settings

extension Settings {
  /// Opens the history named by these options, variables or the profile.
  ///
  /// - Throws: `Failure.history`, with `missing` among other causes.
  package func openHistory(_ context: Context) throws(Failure) -> HistoryReader {
    let path = try usedHistoryPath(context)
    return try answered(HistoryReader(path))
  }

  /// The history's file or URL, after merging the settings.
  package func usedHistoryPath(_ context: Context) throws(Failure) -> String {
    try merged(reading: [.telling], context).requiredHistoryPath(context)
  }

  /// The history's file or URL according to merged settings, for a command that requires one.
  ///
  /// - Throws: `Failure.unrecordedRun` with `--no-history`, or an error if there is no home folder, or
  ///   the user did not trust a database named by a project's file.
  package func requiredHistoryPath(_ context: Context) throws(Failure) -> String {
    guard let path = try historyPath() else { throw .unrecordedRun }
    try ProjectTrust(forHistoryOf: self, context).require()
    return path
  }
}

extension HistoryReader {
  /// A run by its number.
  ///
  /// - Throws: `Failure.history` with `noSuchRun` if there is none.
  package func storedRun(_ number: RunNumber) throws(Failure) -> StoredRun {
    guard let entry = try answered(run(number)) else { throw .history(.noSuchRun(number)) }
    return StoredRun(entry)
  }

  /// The push with an `apns-id`, from the newest run that has it.
  ///
  /// - Throws: `Failure.noSuchPush`, or `pushWithoutResult` if its run is known.
  package func storedPush(_ id: APNSID) throws(Failure) -> PushEntry {
    if let push = try answered(push(id)) { return push }
    guard let place = try answered(places(of: id)).last else { throw .noSuchPush(id) }
    let entry = try storedRun(place.run).entry
    // Every push of a run that ended normally has a result.
    if entry.state == .finished { throw .noSuchPush(id) }
    let isMarked = try answered(isMarked(place.sequence, of: place.run))
    throw .pushWithoutResult(
      id, of: entry, isClaimed: isMarked || place.sequence <= UInt64(entry.claimed))
  }

  /// Calls `body` with pushes until it returns false. Its failures are passed on.
  ///
  /// - Parameter count: the number of pushes to skip first.
  /// - Returns: the number of pushes skipped.
  @discardableResult
  package func forEachStoredPush(
    _ filter: HistoryFilter, newestFirst: Bool, skipping count: Int = 0,
    _ body: (PushEntry) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var failure: Failure?
    let skipped = try answered(
      forEachPush(filter, newestFirst: newestFirst, skipping: count) { push in
        goesOn(unless: &failure) { () throws(Failure) in try body(push) }
      })
    if let failure { throw failure }
    return skipped
  }

  /// Calls `body` with runs, newest first, until it returns false. Its failures are passed on.
  package func forEachStoredRun(
    _ filter: HistoryFilter, _ body: (RunEntry) throws(Failure) -> Bool
  ) throws(Failure) {
    var failure: Failure?
    try answered(
      forEachRun(filter) { run in
        goesOn(unless: &failure) { () throws(Failure) in try body(run) }
      })
    if let failure { throw failure }
  }
}

/// The answer of `body`; false if it fails, with its failure.
private func goesOn(
  unless failure: inout Failure?, _ body: () throws(Failure) -> Bool
) -> Bool {
  do throws(Failure) {
    return try body()
  } catch {
    failure = error
    return false
  }
}

extension String {
  /// The text as it stands inside a JSON string.
  package var inJSON: String {
    String(JSON(.string(self)).encodedString(.compact).dropFirst().dropLast())
  }
}

extension HistoryFilter {
  /// Opens a history, and warns of unknown words in the filter: they may be mistyped.
  ///
  /// - Throws: `Failure.history`, with `noSuchRun` among other causes.
  package func open(_ settings: Settings, _ context: Context) throws(Failure) -> HistoryReader {
    let history = try settings.openHistory(context)
    context.teller.note(try unknownWords(in: history))
    for run in runs.sorted() { _ = try history.storedRun(run) }
    return history
  }

  /// A warning for each word that is not in the history.
  package func unknownWords(in history: HistoryReader) throws(Failure) -> [Report.Part] {
    var warnings: [Report.Part] = []
    if let environment {
      let known = try answered(history.environments()) + PushEnvironment.named.map(\.name)
      warnings += warning("--env", environment, known)
    }
    if let scenario {
      warnings += warning("--scenario", scenario, try answered(history.scenarios()))
    }
    if let bundleID {
      warnings += warning("--bundle-id", bundleID, try answered(history.apps()))
    }
    if let pushType {
      warnings += warning("--type", pushType, PushType.table.map(\.type.rawValue))
    }
    warnings += try unknownPushes(in: history)
    if reasons.isEmpty { return warnings }
    let known = try answered(history.allReasons()) + Reason.table.map(\.reason.rawValue)
    return warnings + reasons.flatMap { warning("--reason", $0, known, inAnyCase: true) }
  }

  private func unknownPushes(in history: HistoryReader) throws(Failure) -> [Report.Part] {
    var (ofToken, ofID) = (HistoryFilter(), HistoryFilter())
    (ofToken.token, ofID.apnsID) = (token, apnsID)
    let tail = token.map { "--token …\($0.digits.suffix(8))" }
    let id = apnsID.map { "--apns-id \($0)" }
    return try warning(tail, ofToken, history) + warning(id, ofID, history)
  }

  /// - Parameter option: the option that selects the pushes; nil for none.
  private func warning(
    _ option: String?, _ pushes: HistoryFilter, _ history: HistoryReader
  ) throws(Failure) -> [Report.Part] {
    guard let option else { return [] }
    var isKnown = false
    try history.forEachStoredPush(pushes, newestFirst: true) { _ in
      isKnown = true
      return false
    }
    return isKnown
      ? [] : [.warning("\(option) is not in the history.", "No push in the history matches.")]
  }

  /// - Parameter inAnyCase: the history ignores case for this word.
  private func warning(
    _ option: String, _ word: String, _ known: [String], inAnyCase: Bool = false
  ) -> [Report.Part] {
    let known = Set(known).sorted()
    let meant = option == "--env" ? EnvironmentSetting.name(meantBy: word) : nil
    let same = known.filter { $0.lowercased() == (meant ?? word).lowercased() }
    if known.contains(word) || inAnyCase && !same.isEmpty { return [] }
    let near = same.isEmpty ? Suggestion.near(word, among: known) : same
    return [
      .warning(
        "\(option) \(word) is not in the history.",
        Suggestion.question(near) ?? "Nothing in the history matches.")
    ]
  }
}

extension HistoryReader {
  /// The gaps in figures made from results: a sentence for each run that has not ended, or has
  /// pushes without a result. The newest comes last.
  package func openRuns(_ filter: HistoryFilter) throws(Failure) -> [String] {
    let mostNamed = 5
    var named: [String] = []
    var count = 0
    try forEachStoredRun(filter) { run in
      if run.state == .finished, run.withoutResult == 0, run.unread == nil { return true }
      count += 1
      if count <= mostNamed { named.append(sentence(StoredRun(run))) }
      return true
    }
    let more = count - named.count
    return named.reversed()
      + (more > 0 ? ["The same is true of \(counted(more, "older run"))."] : [])
  }

  private func sentence(_ stored: StoredRun) -> String {
    let run = stored.entry.run
    if isBeingSent(run) {
      let what = stored.entry.state == .enqueuing ? "enqueued" : "sent"
      return "Run \(run) is being \(what): only its results so far are counted."
    }
    let rest = stored.entry.unread.map { "Not read: \($0.words)." }
    let way =
      stored.entry.state == .finished
      ? nil : "'fanfare \(stored.entry.continuing) \(run)' continues."
    return ["Run \(run) \(stored.entry.shortfall).", rest, way].compactMap(\.self)
      .joined(separator: " ")
  }
}

extension RunEntry {
  /// The number of pushes that were read and have no result, as far as known.
  fileprivate var withoutResult: Int { max(0, recipients.pushes - tally.total) }

  /// `was killed: only its results are counted; 256 or more pushes have none`
  fileprivate var shortfall: String {
    let wasKilled = state == .running || state == .enqueuing
    let how =
      switch state {
      case .running: "was killed"
      case .interrupted: "was interrupted"
      case .enqueuing: "was not enqueued to its end"
      case .enqueued where stop == nil: "is in the queue"
      case .enqueued, .finished, nil: "was stopped"
      }
    let bound = wasKilled ? " or more" : ""
    let others =
      withoutResult == 0
      ? ""
      : "; \(grouped(withoutResult))\(bound) \(withoutResult == 1 ? "push has" : "pushes have") none"
    return "\(how): only its results are counted\(others)"
  }
}
