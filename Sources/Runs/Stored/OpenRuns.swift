package import History
internal import PlainText
internal import PushModel
package import Reporting

extension HistoryStore {
  /// The gaps in figures made from results: a sentence for each run that has not ended, or has
  /// pushes without a result. The newest comes last.
  package func openRuns(_ filter: HistoryFilter) throws(Failure) -> [String] {
    let mostNamed = 5
    var named: [String] = []
    var count = 0
    try answered(
      forEachRun(filter) { run in
        if run.state == .finished, run.withoutResult == 0 { return true }
        count += 1
        if count <= mostNamed { named.append(sentence(StoredRun(run))) }
        return true
      })
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
