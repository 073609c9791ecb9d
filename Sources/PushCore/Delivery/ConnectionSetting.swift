internal import APNS
internal import HTTP2

/// What all connections of a run share.
struct ConnectionSetting: Sendable {
  let plan: DeliveryPlan
  let identity: RunIdentity
  let credentials: PushCredentials
  let work: ChunkQueue<PushChunk>
  let results: ChunkQueue<[PushResult]>
  let early: EarlyLink?
  let opening: Opening
  let pacer: Pacer?
  let control: RunControl
  let clock: RunClock
}

/// The wakes of a run's threads, made before anything begins, so that no thread can lack one.
struct RunWakes: Sendable {
  /// A connection's: one for what it waits for in general, one for room among the results.
  struct Pair: Sendable {
    let general: Wake
    let outbox: Wake
  }

  let reader: Wake
  let recorder: Wake
  let connections: [Pair]

  /// Nil when the process has not enough descriptors left.
  init?(connections count: Int) {
    guard let reader = Wake(), let recorder = Wake() else { return nil }
    (self.reader, self.recorder) = (reader, recorder)
    connections = (0..<count).compactMap { _ in
      guard let general = Wake(), let outbox = Wake() else { return nil }
      return Pair(general: general, outbox: outbox)
    }
    if connections.count < count { return nil }
  }
}
