internal import CNGHTTP2

/// Tells a peer that floods from one that works.
///
/// Many frames cost their sender next to nothing and lead nowhere: PING, SETTINGS, PRIORITY, empty
/// DATA, streams that are reset as soon as they are opened (RFC 9113 section 10.5). A peer may send
/// `limit` of them beyond what its work makes up for, and leave as many answers to them unread.
struct FloodGuard {
  /// How many frames may lead nowhere, and how many may wait to be sent beside one for each open
  /// stream.
  static let limit = 10_000

  /// How many frames a piece of work makes up for. More would let a peer hide a flood behind a
  /// request now and then.
  static let allowance = 100

  /// How many CONTINUATION frames a header block may have. Of a block that nghttp2 passes over it
  /// tells nothing, and counts itself, up to `limit`.
  static let continuationLimit = 64

  private var idleFrames = 0
  private var continuations = 0
  private var hadEndlessBlock = false

  /// A frame begins. Whether it leads somewhere is not known yet.
  mutating func frameBegan(isContinuation: Bool) {
    idleFrames += 1
    continuations = isContinuation ? continuations + 1 : 0
    if continuations > Self.continuationLimit { hadEndlessBlock = true }
  }

  /// The frame carried a part of a body.
  mutating func bodyArrived() { idleFrames = max(0, idleFrames - 1) }

  /// Requests were received whole, or answered.
  mutating func workDone(_ requests: Int = 1) {
    idleFrames = max(0, idleFrames - requests * Self.allowance)
  }

  /// Whether the peer floods.
  func isExceeded(waitingFrames: Int, openStreams: Int) -> Bool {
    hadEndlessBlock || idleFrames > Self.limit
      || waitingFrames - openStreams > Self.limit
  }
}
