import HTTP2
import TestSupport
import Testing

/// Something that a server should not send, and what becomes of the push that waits for its answer.
struct HostileCase: CustomTestStringConvertible {
  /// The section of RFC 9113.
  let section: String
  let name: String
  /// How the push ends, once the connection is given up.
  let end: Exchange.End
  /// The code of the client's GOAWAY; nil when the connection lives on.
  let goodbye: UInt32?
  let bytes: [UInt8]
  /// Whether the server has acknowledged the client's SETTINGS.
  let acknowledges: Bool

  init(
    _ section: String, _ name: String, _ end: Exchange.End, goodbye: UInt32? = nil,
    acknowledges: Bool = true, _ frames: RawFrame...
  ) {
    self.init(
      section, name, end, goodbye: goodbye, acknowledges: acknowledges,
      bytes: frames.flatMap(\.bytes))
  }

  init(
    _ section: String, _ name: String, _ end: Exchange.End, goodbye: UInt32? = nil,
    acknowledges: Bool = true, bytes: [UInt8]
  ) {
    (self.section, self.name, self.end, self.goodbye) = (section, name, end, goodbye)
    (self.bytes, self.acknowledges) = (bytes, acknowledges)
  }

  var testDescription: String { "\(section): \(name)" }

  private static let lost = Exchange.End.inDoubt(errorCode: nil)
  private static let malformed = Exchange.End.inDoubt(errorCode: ErrorCode.protocolError)
  private static let answerHead = RawFrame.headers(1, [":status": "200"])

  /// Frames of the wrong form, or in the wrong place.
  static let broken: [HostileCase] = [
    HostileCase(
      "4.2", "a frame above the largest size", lost, goodbye: ErrorCode.frameSize,
      RawFrame(.data, stream: 1, payload: [UInt8](repeating: 0, count: 16_385))),
    HostileCase(
      "4.3", "a header block that is no HPACK", lost, goodbye: ErrorCode.compression,
      RawFrame(.headers, flags: RawFrame.endHeaders, stream: 1, payload: [0x80])),
    HostileCase(
      "5.1", "an answer on a stream that nobody opened", lost, goodbye: ErrorCode.protocolError,
      .answer(99, status: 200)),
    HostileCase(
      "5.1.1", "an answer on a stream of the server's", lost, goodbye: ErrorCode.protocolError,
      .answer(2, status: 200)),
    HostileCase(
      "5.1", "DATA on a stream that nobody opened", lost, goodbye: ErrorCode.protocolError,
      .data(99, "x")),
    HostileCase(
      "5.1", "a second answer", .answered, .answer(1, status: 200), .answer(1, status: 410)),
    HostileCase(
      "5.1", "DATA behind the answer", .answered, .answer(1, status: 200), .data(1, "x")),
    HostileCase(
      "6.1", "a body before the answer", lost, goodbye: ErrorCode.protocolError, .data(1, "x")),
    HostileCase(
      "6.4", "RST_STREAM on an idle stream", lost, goodbye: ErrorCode.protocolError,
      .reset(99, 0)),
    HostileCase(
      "6.5.2", "an initial window above 2^31-1", lost, goodbye: ErrorCode.flowControl,
      .settings((Setting.initialWindowSize, .max))),
    HostileCase(
      "6.6", "PUSH_PROMISE", lost, goodbye: ErrorCode.protocolError, promise),
    HostileCase(
      "6.6", "PUSH_PROMISE before the server knows better", .answered, acknowledges: false,
      promise, .answer(1, status: 200)),
    HostileCase(
      "6.7", "PING of no bytes", lost, goodbye: ErrorCode.frameSize, RawFrame(.ping)),
    HostileCase(
      "6.8", "GOAWAY whose last stream rises", lost, goodbye: ErrorCode.protocolError,
      .goAway(lastStream: 1), .goAway(lastStream: 5)),
    HostileCase(
      "6.8", "GOAWAY again and again", .answered,
      bytes: [[UInt8]](repeating: RawFrame.goAway(lastStream: 1).bytes, count: 500).joined()
        + RawFrame.answer(1, status: 200).bytes),
    HostileCase(
      "6.9", "WINDOW_UPDATE by 0", lost, goodbye: ErrorCode.protocolError, .windowUpdate(0, 0)),
    HostileCase(
      "6.9.1", "a window above 2^31-1", lost, goodbye: ErrorCode.flowControl,
      .windowUpdate(0, 0x7FFF_FFFF)),
    HostileCase(
      "6.9.1", "a body beyond the window", .answered, goodbye: ErrorCode.flowControl,
      bytes: answerHead.bytes + repeated(100, .data(1, String(repeating: "x", count: 16_384)))),
    HostileCase(
      "6.10", "CONTINUATION of nothing", lost, goodbye: ErrorCode.protocolError,
      .continuation(1, [])),
    HostileCase(
      "8.1", "two informational answers", .answered,
      .headers(1, [":status": "100"]), .headers(1, [":status": "103"]), .answer(1, status: 200)),
    HostileCase(
      "8.1", "an informational answer at the end", malformed, .answer(1, status: 103)),
    HostileCase(
      "8.1", "trailers that do not end the answer", .answered, answerHead,
      .headers(1, ["checksum": "1"])),
    HostileCase(
      "8.1.1", "a body longer than content-length", .answered,
      .headers(1, [":status": "400", "content-length": "1"]),
      .data(1, "{}", flags: RawFrame.endStream)),
    HostileCase(
      "8.2", "a name in upper case", malformed, .headers(1, [":status": "200", "X": "1"])),
    HostileCase(
      "8.3.2", "no status", malformed, .headers(1, ["apns-id": "1"], flags: 5)),
    HostileCase("8.3.2", "a status of two digits", malformed, .headers(1, [":status": "20"])),
    HostileCase(
      "8.3.2", "a status of words", malformed, .headers(1, [":status": "OK!"])),
    HostileCase(
      "8.3.2", "two statuses", malformed, .headers(1, [":status": "200", ":status": "410"])),
    HostileCase(
      "8.3", "a request for an answer", malformed, .headers(1, [":method": "POST"], flags: 5)),
  ]

  private static let promise = RawFrame(
    .pushPromise, flags: RawFrame.endHeaders, stream: 1,
    payload: [0, 0, 0, 2] + RawFrame.headers(1, [":method": "GET", ":path": "/"]).payload)

  static func repeated(_ count: Int, _ frame: RawFrame) -> [UInt8] {
    Array([[UInt8]](repeating: frame.bytes, count: count).joined())
  }
}
