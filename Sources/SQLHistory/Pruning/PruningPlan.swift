public import PushModel

/// Which runs are removed from a history.
public struct PruningRule: Sendable, Hashable {
  /// Runs go whose last pass ended before then, in milliseconds since 1970 UTC; of one that never
  /// ended, when it began counts. Nil: no run goes for its age.
  public var before: Int64?

  /// All runs go but the newest so many; nil: no run goes for their number. A run goes when either of
  /// the two says so.
  public var keep: Int?

  /// Whether runs go that could still be resumed.
  public var takesUnfinished: Bool

  /// A rule that removes nothing, unless it is told what.
  public init(before: Int64? = nil, keep: Int? = nil, takesUnfinished: Bool = false) {
    self.before = before
    self.keep = keep
    self.takesUnfinished = takesUnfinished
  }

  /// In SQL, over `runs`.
  var condition: String {
    var terms = ["false"]
    if let before { terms.append("coalesce(finished, started) < \(before)") }
    if let keep {
      terms.append("runs.id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT \(max(0, keep)))")
    }
    return terms.joined(separator: " OR ")
  }
}

/// What a ``PruningRule`` comes to.
public struct PruningPlan: Sendable, Hashable {
  /// The runs that go, in order.
  public internal(set) var runs: [RunNumber] = []
  /// How many results they have.
  public internal(set) var pushes = 0
  /// Runs that the rule names and that stay because they could still be resumed.
  public internal(set) var unfinished: [RunNumber] = []
  /// Runs that the rule names and that stay because they are being sent.
  public internal(set) var beingSent: [RunNumber] = []

  /// In milliseconds since 1970 UTC.
  let now: Int64
  let takesUnfinished: Bool
}

/// What was removed from a history.
public struct PruningReport: Sendable, Hashable {
  /// What became of the space that was taken.
  public enum Space: String, Sendable, Hashable {
    /// It was given back, or there was none.
    case givenBack
    /// Other processes use the history: it is kept for what comes next.
    case inUse
    /// There is no room for the copy that is made meanwhile: it is kept for what comes next.
    case noRoom
  }

  /// How many runs were removed.
  public internal(set) var runs = 0
  /// How many results were removed.
  public internal(set) var pushes = 0
  /// By how much the history and the files beside it are smaller.
  public internal(set) var bytes = 0
  /// What became of the space.
  public internal(set) var space = Space.givenBack
  /// Runs that could still be resumed, and stay.
  public internal(set) var unfinished: [RunNumber]
  /// Runs that are being sent, and stay.
  public internal(set) var beingSent: [RunNumber]
}
