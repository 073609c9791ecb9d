internal import APNS

/// The limits a connection changes by itself on certain events, and the errors it tolerates. A
/// value that takes events and returns the steps they cause.
struct ConnectionPlan {
  /// An action to take after a delay.
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

  /// Creates a connection's plan; nil if there is nothing to do.
  init?(_ changes: [SettingsChange], _ budget: ErrorBudget?) {
    if changes.isEmpty && budget == nil { return nil }
    self.changes = changes
    self.budget = budget
  }

  /// The announcement for a frame sent on an event, starting from the usual one.
  func announcement(at event: SettingsChange.Event, else usual: Announcement) -> Announcement {
    var announcement = usual
    for change in changes where change.event == event && change.delayMilliseconds == 0 {
      announcement.merge(change.announcement)
    }
    return announcement
  }

  /// The delayed steps after an event.
  func laterSteps(after event: SettingsChange.Event) -> [Step] {
    steps(after: event).filter { $0.milliseconds > 0 }
  }

  /// Counts a request and returns the steps that follow.
  mutating func requestArrived() -> [Step] {
    requests += 1
    return steps(after: .requests(requests))
  }

  /// Counts an answer and returns the steps that follow.
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
