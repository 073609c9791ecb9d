internal import PushModel

/// Finds out what is left to do of each chunk when a run is resumed. It belongs to the thread that
/// reads the lists again.
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

  /// The chunk with what to do about each of its pushes; nil when nothing is left of it. Chunks come
  /// in the order of the lists.
  mutating func rest(of chunk: PushChunk) throws(HistoryError) -> PushChunk? {
    let now = now()
    var found: [Standing] = []
    for push in chunk.pushes { found.append(try standings.standing(of: push.sequence)) }
    let steps = found.map { plan.step(for: $0, now: now) }
    return steps.allSatisfy { $0 == .leave } ? nil : chunk.taking(steps, from: found)
  }
}
