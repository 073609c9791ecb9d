internal import CNGHTTP2

/// Tells a flooding peer from a busy one.
///
/// Many frames cost the sender next to nothing and achieve nothing: PING, SETTINGS, PRIORITY, empty
/// DATA, streams reset right after opening (RFC 9113 section 10.5). A peer may send `limit` of them
/// beyond the allowance for its real requests, and leave as many answers to them unread.
struct FloodGuard {
  /// The limit on idle frames, and on frames that wait to be sent in excess of one per open stream.
  static let limit = 10_000

  /// The number of idle frames that one request offsets. A higher one would let a peer hide a flood
  /// behind an occasional request.
  static let allowance = 100

  /// The maximum number of CONTINUATION frames in a header block. To a client nghttp2 reports none of
  /// a block that it ignores; it counts those itself, up to `limit`.
  static let continuationLimit = 64

  private var idleFrames = 0
  private var continuations = 0
  private var hadEndlessBlock = false

  /// Counts a frame that begins, as idle until it proves useful.
  mutating func frameBegan(isContinuation: Bool) {
    idleFrames += 1
    continuations = isContinuation ? continuations + 1 : 0
    if continuations > Self.continuationLimit { hadEndlessBlock = true }
  }

  /// Records that the frame carried part of a body.
  mutating func bodyArrived() { idleFrames = max(0, idleFrames - 1) }

  /// Records that requests were fully received or answered.
  mutating func workDone(_ requests: Int = 1) {
    idleFrames = max(0, idleFrames - requests * Self.allowance)
  }

  /// True if the peer floods.
  func isExceeded(waitingFrames: Int, openStreams: Int) -> Bool {
    hadEndlessBlock || idleFrames > Self.limit
      || waitingFrames - openStreams > Self.limit
  }
}
