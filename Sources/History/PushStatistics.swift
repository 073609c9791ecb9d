public import PushModel

/// What pushes are put together by, to be counted.
public enum PushGrouping: String, Sendable, Hashable, CaseIterable {
  /// Their run.
  case run
  /// The day in UTC on which their result came.
  case day
  /// The reason of their last answer.
  case reason
  /// The topic of their run.
  case topic
  /// The environment of their run.
  case environment
}

/// The figures of some pushes.
public struct PushFigures: Sendable, Hashable {
  /// What became of them.
  public package(set) var tally = OutcomeTally()

  /// From the last request to its answer; of those that were answered.
  public package(set) var latency = LatencyHistogram()

  /// None yet.
  public init() {}

  /// The share of them that APNs accepted, from 0 to 1; nil when there are none.
  public var acceptance: Double? {
    tally.total == 0 ? nil : Double(tally.accepted) / Double(tally.total)
  }

  /// Counts a push; its latency is nil without an answer.
  package mutating func add(_ outcome: Outcome, latency microseconds: Int?) {
    tally.add(to: outcome)
    if let microseconds { latency.add(microseconds: microseconds) }
  }
}

/// Pushes that were put together.
public struct PushGroup: Sendable, Hashable {
  /// What they have in common.
  public enum Key: Sendable, Hashable {
    /// Their run.
    case run(RunNumber)
    /// The day on which their result came, in whole days since 1970 UTC.
    case day(Int64)
    /// A reason, a topic or an environment; nil for those without.
    case word(String?)
  }

  /// What they have in common.
  public let key: Key
  /// Their figures.
  public package(set) var figures: PushFigures
}

/// The figures of pushes of a history, put together.
public struct PushStatistics: Sendable, Hashable {
  /// Runs and days in order; words by the number of pushes, the most first.
  public package(set) var groups: [PushGroup] = []
  /// The figures of all of them.
  public package(set) var total = PushFigures()

  private var places: [PushGroup.Key: Int] = [:]
  private var last: Int?

  /// No pushes yet.
  public init() {}

  package mutating func add(_ key: PushGroup.Key, _ outcome: Outcome, latency: Int?) {
    groups[place(of: key)].figures.add(outcome, latency: latency)
    total.add(outcome, latency: latency)
  }

  /// Mostly the same as for the push before.
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
