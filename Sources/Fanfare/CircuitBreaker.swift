internal import Delivery
internal import PushModel
internal import Synchronization

/// Keeps the pushes of one topic, or of one list, from being sent for a while when push after push of
/// them is refused. The pushes of others go on.
final class CircuitBreaker: Sendable {
  private struct State {
    var breaker = Breaker()
    var barrier = Barrier()
    var lastObstacle: Obstacle?
  }

  private let state = Mutex(State())
  /// Most are never asked for more than this.
  private let tripped = Atomic(false)
  private let used = Atomic(false)

  /// It has been told of answers. A list's breaker is not, until a device token is refused.
  var isInUse: Bool { used.load(ordering: .relaxed) }

  /// It has kept pushes from being sent, and perhaps does so now.
  var hasTripped: Bool { tripped.load(ordering: .acquiring) }

  /// Takes answers into account. What was on its way when the pushes were stopped says nothing new.
  ///
  /// - Returns: the reason that pushes are not sent from now on; nil when they are.
  func answered(
    _ answers: some Sequence<Breaker.Answer>, _ now: () -> UInt64
  ) -> Obstacle? {
    used.store(true, ordering: .relaxed)
    return state.withLock { state in
      if state.barrier.obstacle(now) != nil { return nil }
      for answer in answers {
        if answer.response.isAccepted { state.barrier.open() }
        guard state.breaker.answered(answer) else { continue }
        let obstacle = Obstacle(StopCause.breaker(answer.response))
        (state.breaker, state.lastObstacle) = (Breaker(), obstacle)
        state.barrier.close(for: obstacle, now: now())
        tripped.store(true, ordering: .releasing)
        return obstacle
      }
      return nil
    }
  }

  /// The reason not to send now.
  func obstacle(_ now: () -> UInt64) -> Obstacle? {
    hasTripped ? state.withLock { $0.barrier.obstacle(now) } : nil
  }

  /// The reason that pushes were last kept from being sent.
  var lastObstacle: Obstacle? {
    hasTripped ? state.withLock { $0.lastObstacle } : nil
  }
}

extension PushMessage {
  /// The topic; for a channel, the bundle ID of the app.
  var topic: String {
    fields.first { $0.name == .topic }?.value ?? String(path.split(separator: "/").last ?? "")
  }
}

/// A chunk's sender whose answers are judged with others of its kind.
protocol Judged: PushSender {
  /// The breaker of the topic; nil when breakers are not by topic.
  var topicBreaker: CircuitBreaker? { get }
  /// The breaker of the list; nil for single pushes, whose device tokens have nothing in common.
  var listBreaker: CircuitBreaker? { get }
}

extension Judged {
  /// Takes answers into account: what they say of device tokens is the list's business alone.
  func judge(_ answers: ArraySlice<Breaker.Answer>, _ now: () -> UInt64) -> Obstacle? {
    let byTopic = topicBreaker?.answered(
      answers.lazy.filter { !$0.blamesDeviceToken }, now)
    guard let listBreaker, listBreaker.isInUse || answers.contains(where: \.blamesDeviceToken)
    else { return byTopic }
    let ofTokens = answers.lazy.filter { $0.response.isAccepted || $0.blamesDeviceToken }
    return listBreaker.answered(ofTokens, now) ?? byTopic
  }

  /// Some breaker has kept pushes from being sent: few ever do.
  var isTripped: Bool { topicBreaker?.hasTripped == true || listBreaker?.hasTripped == true }

  func obstacle(_ now: () -> UInt64) -> Obstacle? {
    topicBreaker?.obstacle(now) ?? listBreaker?.obstacle(now)
  }

  var lastObstacle: Obstacle? { topicBreaker?.lastObstacle ?? listBreaker?.lastObstacle }
}

extension Breaker.Answer {
  fileprivate var blamesDeviceToken: Bool { response.blamesDeviceToken }
}
