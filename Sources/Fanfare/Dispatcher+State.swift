internal import Delivery
internal import HTTP2
internal import PushModel

// What waits, and what goes next. Called with the lock held.
extension Dispatcher.State {
  /// The newest parcels that may take another push.
  private static let reach = 8

  /// The notification as requests carry it, and the breaker of its topic.
  mutating func outgoing(
    _ notification: PushNotification
  ) -> (message: PushMessage, breaker: CircuitBreaker?) {
    if let last, last.notification == notification { return (last.message, last.breaker) }
    let message = notification.message(isList: false)
    let breaker = breaker(message.topic)
    last = (notification, message, breaker)
    return (message, breaker)
  }

  mutating func add(_ push: SinglePush) {
    singles += 1
    let isAdded = parcels.change(ofLast: Self.reach) { parcel in
      guard parcel.takes(push) else { return false }
      parcel.add(push)
      return true
    }
    if !isAdded { parcels.append(Parcel(push)) }
  }

  /// All there is to take is a list's chunk that is not full.
  var isFilling: Bool {
    parcels.isEmpty && lists.count == 1 && lists.first?.isReady == false
  }

  /// The reader, if there is something for it to take.
  mutating func readerToWake() -> Wake? {
    if parcels.isEmpty && lists.isEmpty || isLingering && isFilling { return nil }
    return reader.take()
  }

  /// The breaker of a topic; nil when breakers are not by topic.
  mutating func breaker(_ topic: String) -> CircuitBreaker? {
    guard hasTopicBreakers else { return nil }
    if let breaker = breakers[topic] { return breaker }
    let breaker = CircuitBreaker()
    breakers[topic] = breaker
    return breaker
  }

  /// Takes the oldest chunk; nil when there is none.
  mutating func next(_ identity: RunIdentity, _ clock: RunClock) -> PushChunk? {
    if isTurnOfSingles || lists.isEmpty, let parcel = parcels.popFirst() {
      isTurnOfSingles = false
      return close(parcel, identity, clock)
    }
    while let list = lists.popFirst() {
      let breaker = breaker(list.topic)
      guard let (chunk, isLast) = list.takeChunk(at: nextSequence, breaker) else { continue }
      nextSequence += UInt64(chunk.count)
      isTurnOfSingles = true
      if !isLast { lists.append(list) }
      return chunk
    }
    return parcels.popFirst().map { close($0, identity, clock) }
  }

  private mutating func close(
    _ parcel: Parcel, _ identity: RunIdentity, _ clock: RunClock
  ) -> PushChunk {
    let chunk = parcel.chunk(at: nextSequence, identity, clock, breaker(parcel.topic))
    nextSequence += UInt64(chunk.count)
    singles -= chunk.count
    return chunk
  }

  /// Removes everything that no session has taken.
  ///
  /// - Returns: an action that ends it, for the caller to run without the lock.
  mutating func giveUpAll() -> @Sendable (Obstacle) -> Void {
    let (parcels, lists) = (giveUpSingles(), lists.takeAll())
    return { obstacle in
      parcels(obstacle)
      for list in lists { list.giveUp(obstacle) }
    }
  }

  /// The same for single pushes alone.
  mutating func giveUpSingles() -> @Sendable (Obstacle) -> Void {
    singles = 0
    let parcels = parcels.takeAll()
    return { obstacle in
      for parcel in parcels { parcel.giveUp(obstacle) }
    }
  }

  /// - Returns: false when no descriptors are left.
  mutating func beginSession(
    _ scope: PushClient.BreakerScope, judge: @escaping @Sendable ([Breaker.Answer]) -> Void
  ) -> Bool {
    let control =
      switch scope {
      case .perTopic: RunControl(judge: judge)
      case .client: RunControl()
      case .off: RunControl(usesBreaker: false)
      }
    guard let session = Session(credentials.push, control) else { return false }
    current = session
    sessions.append(session)
    return true
  }
}
