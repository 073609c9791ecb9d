public import APNS

/// What a GOAWAY frame says (RFC 9113 section 6.8), and what comes before and after it.
public struct ConnectionEnd: Sendable, Hashable {
  /// The last stream that the frame covers.
  public enum LastStream: Sendable, Hashable {
    /// The stream of the push that is being answered.
    case current
    /// The middle of the open streams: half of them, rounded down, are covered.
    case half
    /// A stream by its number: 0 covers none, `Int32.max` all. The latter is only a notice when
    /// there is neither code nor debug data: streams go on.
    case exactly(Int32)
  }

  /// The last stream that the frame covers. It is raised to the highest stream that was answered
  /// or processed, so that the frame never denies what the journal says.
  public var lastStream: LastStream
  /// The error code; 0 is a friendly goodbye.
  public var errorCode: UInt32
  /// What the debug data says, as APNs' JSON object; nil sends no debug data.
  public var reason: Reason?
  /// Debug data that is sent instead of the reason; nil for none.
  public var debugData: [UInt8]?
  /// How many milliseconds ahead a first GOAWAY with stream 2^31-1 announces this one; nil when none
  /// does. Pushes that arrive in between are treated as ever.
  public var noticeMilliseconds: Int?
  /// Whether the connection stays open when everything is answered. Otherwise it is closed then.
  public var staysOpen: Bool

  /// What a GOAWAY frame says.
  public init(
    lastStream: LastStream = .current, errorCode: UInt32 = 0, reason: Reason? = nil,
    debugData: [UInt8]? = nil, noticeMilliseconds: Int? = nil, staysOpen: Bool = false
  ) {
    self.lastStream = lastStream
    self.errorCode = errorCode
    self.reason = reason
    self.debugData = debugData
    self.noticeMilliseconds = noticeMilliseconds
    self.staysOpen = staysOpen
  }

  /// The debug data as it is sent.
  var debugBytes: [UInt8] { debugData ?? reason.map { ErrorBody($0).bytes } ?? [] }
}

/// How a connection is ended without GOAWAY.
public enum Drop: String, Sendable, Hashable, CaseIterable {
  /// With a TCP reset.
  case rst
  /// With FIN, and no word from TLS: what a proxy does.
  case fin
  /// With TLS's close_notify, then FIN.
  case closeNotify
  /// With TLS's close_notify alone: the TCP connection stays open until the client closes it.
  case closeNotifyOnly
}

/// How long a connection neither reads nor sends; nil milliseconds have no end.
struct Freeze { let milliseconds: Int? }
