public import APNS

/// The contents of a GOAWAY frame (RFC 9113 section 6.8), and its timing.
public struct ConnectionEnd: Sendable, Hashable {
  /// The last stream that the frame covers.
  public enum LastStream: Sendable, Hashable {
    /// The stream of the push being answered.
    case current
    /// The middle of the open streams: half of them, rounded down, are covered.
    case half
    /// A stream by its number: 0 covers none, `Int32.max` all. Without code and debug data the
    /// latter is only a notice, and streams continue.
    case exactly(Int32)
  }

  /// The last stream that the frame covers. It is raised to the highest stream answered or
  /// processed, so the frame never contradicts the journal.
  public var lastStream: LastStream
  /// The error code; 0 means a graceful shutdown.
  public var errorCode: UInt32
  /// The reason in the debug data, as APNs' JSON object; nil sends no debug data.
  public var reason: Reason?
  /// The debug data to send instead of the reason; nil for none.
  public var debugData: [UInt8]?
  /// The milliseconds by which a first GOAWAY with stream 2^31-1 precedes this one; nil sends none.
  /// Pushes that arrive in between are handled as usual.
  public var noticeMilliseconds: Int?
  /// Keeps the connection open after everything is answered. If false, it is then closed.
  public var staysOpen: Bool

  /// Creates the contents of a GOAWAY frame.
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

/// A way to end a connection without GOAWAY.
public enum Drop: String, Sendable, Hashable, CaseIterable {
  /// A TCP reset.
  case rst
  /// FIN without a TLS close_notify, as a proxy does.
  case fin
  /// TLS close_notify, then FIN.
  case closeNotify
  /// TLS close_notify only; the TCP connection stays open until the client closes it.
  case closeNotifyOnly
}

/// A period in which a connection neither reads nor sends; nil milliseconds never end.
struct Freeze { let milliseconds: Int? }
