public import PushModel

/// The property by which pushes are grouped for counting.
public enum PushGrouping: String, Sendable, Hashable, CaseIterable {
  /// Their run.
  case run
  /// The day of their result, in UTC.
  case day
  /// The reason of their last answer.
  case reason
  /// The topic of their run.
  case topic
  /// The environment of their run.
  case environment
}

/// The figures of a group of pushes.
public struct PushFigures: Sendable, Hashable {
  /// The outcomes.
  public package(set) var tally = OutcomeTally()

  /// The time from the last request to its answer, for pushes that were answered.
  public package(set) var latency = LatencyHistogram()

  /// None yet.
  public init() {}

  /// The share that APNs accepted, from 0 to 1; nil when there are no pushes.
  public var acceptance: Double? {
    tally.total == 0 ? nil : Double(tally.accepted) / Double(tally.total)
  }

  /// Counts a push; its latency is nil without an answer.
  package mutating func add(_ outcome: Outcome, latency microseconds: Int?) {
    tally.add(to: outcome)
    if let microseconds { latency.add(microseconds: microseconds) }
  }
}

/// Pushes with a common property, and their figures.
public struct PushGroup: Sendable, Hashable {
  /// The property they share.
  public enum Key: Sendable, Hashable {
    /// Their run.
    case run(RunNumber)
    /// The day of their result, as days since 1970 UTC.
    case day(Int64)
    /// A reason, a topic or an environment; nil for pushes without one.
    case word(String?)
  }

  /// The property they share.
  public let key: Key
  /// Their figures.
  public package(set) var figures: PushFigures
}

/// The figures of a history's pushes, by group.
public struct PushStatistics: Sendable, Hashable {
  /// The groups: runs and days in order; words by number of pushes, largest first.
  public package(set) var groups: [PushGroup] = []
  /// The figures of all of them.
  public package(set) var total = PushFigures()

  private var places: [PushGroup.Key: Int] = [:]
  private var last: Int?

  /// Creates empty statistics.
  public init() {}

  package mutating func add(_ key: PushGroup.Key, _ outcome: Outcome, latency: Int?) {
    groups[place(of: key)].figures.add(outcome, latency: latency)
    total.add(outcome, latency: latency)
  }

  /// Checks the previous push's group first, since it is mostly the same.
  private mutating func place(of key: PushGroup.Key) -> Int {
    if let last, groups[last].key == key { return last }
    let place = places[key] ?? groups.count
    if place == groups.count {
      groups.append(PushGroup(key: key, figures: PushFigures()))
      places[key] = place
    }
    last = place
    return place
  }

  package mutating func sort() {
    groups.sort { $0.stands(before: $1) }
    (places, last) = ([:], nil)
  }
}

extension PushGroup {
  fileprivate func stands(before other: PushGroup) -> Bool {
    switch (key, other.key) {
    case (.run(let one), .run(let other)): return one < other
    case (.day(let one), .day(let other)): return one < other
    case (.word(let one), .word(let two)):
      let (count, otherCount) = (figures.tally.total, other.figures.tally.total)
      return count == otherCount ? (one ?? "") < (two ?? "") : count > otherCount
    default: return false
    }
  }
}
