import TestSupport

/// What becomes of a fleet, as a seed decides.
struct FleetPlan {
  enum Event {
    /// The first worker is killed.
    case kill
    /// A worker is taken for dead while it sends.
    case declaredDead
    /// The database's server crashes, and comes back.
    case crash
    /// The last worker's connection to the database breaks at the next of these words.
    case cut(CommitCut, at: String)
  }

  /// Where in a commit a connection can be cut: while the server gets rows it does not answer.
  private static let cuts: [(cut: CommitCut, word: String)] =
    CommitCut.allCases.flatMap { [($0, "COMMIT"), ($0, "COPY")] }
    + [(.unsent, "PGCOPY"), (.underWay, "PGCOPY")]

  let workers: Int
  let isAtMostOnce: Bool
  /// Of a hundred pushes so many are deferred at first.
  let deferred: Int
  let rate: String?
  /// How many milliseconds an answer takes.
  let delay: Int
  /// How many recipients each list has. A chunk has only those of one list.
  let listLength: Int
  /// Whether the process that reads the lists is killed.
  let killsSender: Bool
  /// What happens, and at which request, in order.
  let events: [(request: Int, event: Event)]

  init(seed: UInt64, pushes: Int) {
    var random = SeededRandom(seed: seed)
    workers = Int.random(in: 2...3, using: &random)
    isAtMostOnce = Int.random(in: 0..<4, using: &random) == 0
    deferred = [0, 0, 10, 50].randomElement(using: &random) ?? 0
    rate = Int.random(in: 0..<4, using: &random) == 0 ? "\(pushes)/s" : nil
    delay = [0, 5, 20].randomElement(using: &random) ?? 0
    // No worker can have so many that nothing is left for the others.
    listLength = max(1, pushes / Int.random(in: 60...100, using: &random))
    killsSender = Int.random(in: 0..<3, using: &random) == 0
    events = Self.kinds(&random)
      .map { (Int.random(in: 1...max(1, pushes * 6 / 10), using: &random), $0) }
      .sorted { $0.0 < $1.0 }
  }

  /// At least one.
  private static func kinds(_ random: inout SeededRandom) -> [Event] {
    var kinds: [Event] = []
    if Int.random(in: 0..<4, using: &random) > 0 { kinds.append(.kill) }
    if Int.random(in: 0..<4, using: &random) > 0 { kinds.append(.declaredDead) }
    if Int.random(in: 0..<3, using: &random) == 0 { kinds.append(.crash) }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let (cut, word) = cuts.randomElement(using: &random) ?? (.unsent, "COMMIT")
      kinds.append(.cut(cut, at: word))
    }
    return kinds.isEmpty ? [.declaredDead] : kinds
  }

  /// The request at which the first worker is killed; 0 for none.
  var killRequest: Int {
    events.first { if case .kill = $0.event { true } else { false } }?.request ?? 0
  }

  /// How often the server crashes.
  var crashes: Int { events.count { if case .crash = $0.event { true } else { false } } }

  /// How often a connection is cut.
  var cuts: Int { events.count { if case .cut = $0.event { true } else { false } } }
}
