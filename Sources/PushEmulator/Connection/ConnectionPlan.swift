internal import APNS

/// What a connection does on its own account: it changes its limits on events, and bears only so
/// many errors. A value that is told what happens, and tells what follows.
struct ConnectionPlan {
  /// Something to be done, so many milliseconds later.
  struct Step: Hashable {
    enum Action: Hashable {
      case announce(Announcement)
      case goAway(ConnectionEnd)
    }

    let action: Action
    let milliseconds: Int
  }

  private let changes: [SettingsChange]
  private let budget: ErrorBudget?
  private var requests = 0
  private var errors = 0
  private var points = 0

  /// The plan of a connection; nil when it does nothing on its own account.
  init?(_ changes: [SettingsChange], _ budget: ErrorBudget?) {
    if changes.isEmpty && budget == nil { return nil }
    self.changes = changes
    self.budget = budget
  }

  /// What a frame that is sent on an event says, where it would have said something else.
  func announcement(at event: SettingsChange.Event, else usual: Announcement) -> Announcement {
    var announcement = usual
    for change in changes where change.event == event && change.delayMilliseconds == 0 {
      announcement.merge(change.announcement)
    }
    return announcement
  }

  /// What follows some time after an event.
  func laterSteps(after event: SettingsChange.Event) -> [Step] {
    steps(after: event).filter { $0.milliseconds > 0 }
  }

  /// Counts a request.
  mutating func requestArrived() -> [Step] {
    requests += 1
    return steps(after: .requests(requests))
  }

  /// Counts an answer.
  mutating func answered(_ status: Status, _ reason: Reason?) -> [Step] {
    guard status.isCountedError else { return [] }
    errors += 1
    return steps(after: .errors(errors)) + steps(afterCostOf: status, reason)
  }

  private func steps(after event: SettingsChange.Event) -> [Step] {
    changes.filter { $0.event == event }.map {
      Step(action: .announce($0.announcement), milliseconds: max(0, $0.delayMilliseconds))
    }
  }

  private mutating func steps(afterCostOf status: Status, _ reason: Reason?) -> [Step] {
    guard let budget else { return [] }
    let before = points
    points += budget.cost(status, reason)
    let passed = before + 1..<points + 1
    var steps: [Step] = []
    if let threshold = budget.slowsAt, passed.contains(threshold) {
      let announcement = Announcement(maxConcurrentStreams: budget.slowLimit)
      steps.append(Step(action: .announce(announcement), milliseconds: 0))
    }
    if let threshold = budget.endsAt, passed.contains(threshold) {
      steps.append(Step(action: .goAway(budget.end), milliseconds: 0))
    }
    return steps
  }
}
