public import PushModel

/// A rule that selects the runs to remove from a history.
public struct PruningRule: Sendable, Hashable {
  /// The time before which runs are removed, in milliseconds since 1970 UTC, compared with the end
  /// of a run's last pass, or with its beginning if it never ended. Nil removes no run for its age.
  public var before: Int64?

  /// The number of newest runs to keep; nil removes no run for their number. A run is removed if
  /// either condition applies.
  public var keep: Int?

  /// True to remove runs that could still be resumed as well.
  public var takesUnfinished: Bool

  /// Creates a rule; by default it removes nothing.
  public init(before: Int64? = nil, keep: Int? = nil, takesUnfinished: Bool = false) {
    self.before = before
    self.keep = keep
    self.takesUnfinished = takesUnfinished
  }

  /// The SQL condition over `runs`.
  var condition: String {
    var terms = ["false"]
    if let before { terms.append("coalesce(finished, started) < \(before)") }
    if let keep {
      terms.append("runs.id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT \(max(0, keep)))")
    }
    return terms.joined(separator: " OR ")
  }
}

/// The runs that a ``PruningRule`` selects.
public struct PruningPlan: Sendable, Hashable {
  /// The runs to remove, in order.
  public internal(set) var runs: [RunNumber] = []
  /// The number of their results.
  public internal(set) var pushes = 0
  /// The selected runs that stay because they could still be resumed.
  public internal(set) var unfinished: [RunNumber] = []
  /// The selected runs that stay because they are being sent.
  public internal(set) var beingSent: [RunNumber] = []

  /// The time of the plan, in milliseconds since 1970 UTC.
  let now: Int64
  let takesUnfinished: Bool
}

/// The result of a removal.
public struct PruningReport: Sendable, Hashable {
  /// The state of the space of removed rows.
  public enum Space: String, Sendable, Hashable {
    /// It was returned to the system, or there was none.
    case givenBack
    /// It is kept for later rows, because other processes use the history.
    case inUse
    /// It is kept for later rows, because the disk has no room for a temporary copy.
    case noRoom
  }

  /// The number of runs removed.
  public internal(set) var runs = 0
  /// The number of results removed.
  public internal(set) var pushes = 0
  /// The number of bytes by which the history and the files beside it have shrunk.
  public internal(set) var bytes = 0
  /// The state of the space of removed rows.
  public internal(set) var space = Space.givenBack
  /// The runs that stay because they could still be resumed.
  public internal(set) var unfinished: [RunNumber]
  /// The runs that stay because they are being sent.
  public internal(set) var beingSent: [RunNumber]
}
