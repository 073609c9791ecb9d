internal import PushModel

/// Determines what is left of each chunk when a run is resumed. Belongs to the thread that rereads
/// the lists.
struct Resumption: ~Copyable {
  private let plan: ResumePlan
  private let standings: any PushStandings
  private let now: @Sendable () -> Int64

  /// - Parameter now: the time in milliseconds since 1970 UTC.
  init(
    _ plan: ResumePlan, _ standings: sending any PushStandings,
    now: @escaping @Sendable () -> Int64
  ) {
    self.plan = plan
    self.standings = standings
    self.now = now
  }

  /// Returns the chunk with a step for each push; nil when nothing is left of it. Chunks must come
  /// in list order.
  mutating func rest(of chunk: PushChunk) throws(HistoryError) -> PushChunk? {
    let now = now()
    var found: [PushState] = []
    for push in chunk.pushes { found.append(try standings.standing(of: push.sequence)) }
    let steps = found.map { plan.step(for: $0, now: now) }
    return steps.allSatisfy { $0 == .leave } ? nil : chunk.taking(steps, from: found)
  }
}
