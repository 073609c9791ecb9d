internal import APNS
internal import PushCore

/// Pushes of a run that are sent again, and what the new run takes over from it.
struct ResentPushes {
  /// The run they are of.
  let run: RunNumber
  /// The scenario of that run; nil when there is none.
  let scenario: String?
  /// Its step; nil when there is none.
  let step: Int?
  /// Who is sent to, with a payload for each where rows had payloads of their own.
  let list: ResentList
}

/// Which pushes of a run are sent again.
struct ResendChoice {
  /// The push that was named; nil for all that fit.
  var push: PushEntry?
  /// The outcomes that are wanted; empty for what was not accepted.
  var only: [Outcome]
  /// The run.
  let entry: RunEntry

  /// What is asked of the history.
  var filter: HistoryFilter {
    var filter = HistoryFilter()
    filter.runs = [entry.run]
    filter.apnsID = push?.apnsID
    if push == nil { filter.outcomes = Set(only.isEmpty ? usual : only) }
    return filter
  }

  /// Whether a push is left out because its device gets nothing any more: the next answer would be the
  /// same.
  func leavesOut(_ found: PushEntry) -> Bool {
    push == nil && !only.contains(.rejected) && found.hasDeadToken
  }

  /// What was not accepted. Who asked for at most once is asked again about the unknown.
  private var usual: [Outcome] {
    [.rejected, .deferred, .notAttempted] + (entry.record.atMostOnce ? [] : [.unknown])
  }
}

extension PushEntry {
  /// Whether APNs said that it does not know the device token, or not any more; a 410 that is older
  /// than the token's registration does not count.
  var hasDeadToken: Bool {
    guard outcome == .rejected, let response, response.deadToken != .no else { return false }
    guard let timestamp = response.timestamp, let registered else { return true }
    return registered <= timestamp / 1000
  }
}
