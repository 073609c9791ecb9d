internal import APNS
internal import Credentials
internal import HTTP2
internal import PushModel

/// What all connections of a run share.
struct ConnectionSetting: Sendable {
  let plan: DeliveryPlan
  let identity: RunIdentity
  let credentials: PushCredentials
  let work: ChunkQueue<PushChunk>
  let results: ChunkQueue<[PushResult]>
  let sentMark: (any SentMark)?
  let early: EarlyLink?
  /// Links of other runs to the same server with the same credentials; nil when none are shared.
  let links: LinkPool?
  let opening: Opening
  let scaler: ConnectionScaler
  let pacer: (any Pacer)?
  let control: RunControl
  let clock: RunClock
}

/// The wakes of a run's threads, made before anything begins, so that no thread can lack one.
struct RunWakes: Sendable {
  /// A connection's: one for what it waits for in general, one for room among the results.
  struct Pair: Sendable {
    let general: Wake
    let outbox: Wake

    /// Nil when there are no descriptors for them.
    init?() {
      guard let general = Wake(), let outbox = Wake() else { return nil }
      (self.general, self.outbox) = (general, outbox)
    }
  }

  let reader: Wake
  let recorder: Wake
  let connections: [Pair]

  /// Makes wakes for so many connections, or for as many as there are descriptors for; nil when
  /// there are not enough for one.
  init?(connections count: Int) {
    guard let reader = Wake(), let recorder = Wake() else { return nil }
    let pairs = Self.pairs(count)
    if pairs.isEmpty { return nil }
    (self.reader, self.recorder, connections) = (reader, recorder, pairs)
  }

  /// Makes wakes for so many connections, or for as many as there are descriptors for, with those of
  /// their sockets.
  static func pairs(_ count: Int) -> [Pair] {
    guard let some = Wake(), let more = Wake() else { return [] }
    // Held while the others are made, and free again for sockets and files when this returns.
    var room = [some, more]
    var pairs: [Pair] = []
    while pairs.count < count, let pair = Pair(), let socket = Wake() {
      pairs.append(pair)
      room.append(socket)
    }
    withExtendedLifetime(room) {}
    return pairs
  }
}
