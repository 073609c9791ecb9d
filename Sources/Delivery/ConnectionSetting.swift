internal import Credentials
internal import HTTP2
internal import PushModel

/// The settings and objects that all connections of a run share.
struct ConnectionSetting: Sendable {
  let plan: DeliveryPlan
  let identity: RunIdentity
  let credentials: PushCredentials
  let work: ChunkQueue<PushChunk>
  let results: ChunkQueue<ResultBatch>
  let notes: (any RunNotes)?
  let early: PredialedLink?
  /// Links from other runs to the same server with the same credentials; nil when none are shared.
  let links: LinkPool?
  let opening: ConnectionGate
  let scaler: ConnectionScaler
  let pacer: (any Pacer)?
  let control: RunControl
  let clock: RunClock
}

/// The wakes of a run's threads, made before anything begins, so that no thread lacks one.
struct RunWakes: Sendable {
  /// The wakes of a connection: one for general use, one to wait for room among the results.
  struct Pair: Sendable {
    let general: Wake
    let outbox: Wake

    /// Nil when no file descriptors are left.
    init?() {
      guard let general = Wake(), let outbox = Wake() else { return nil }
      (self.general, self.outbox) = (general, outbox)
    }
  }

  let reader: Wake
  let recorder: Wake
  let connections: [Pair]

  /// Makes wakes for so many connections, or for as many as there are descriptors for; nil when
  /// there are too few for one.
  init?(connections count: Int) {
    guard let reader = Wake(), let recorder = Wake() else { return nil }
    let pairs = Self.pairs(count)
    if pairs.isEmpty { return nil }
    (self.reader, self.recorder, connections) = (reader, recorder, pairs)
  }

  /// Makes wakes for so many connections, or for as many as there are descriptors for once their
  /// sockets are counted.
  static func pairs(_ count: Int) -> [Pair] {
    guard let some = Wake(), let more = Wake() else { return [] }
    // Reserve descriptors for sockets and files; they are free again when this returns.
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
