import HTTP2
import TestSupport

extension HostileCase {
  /// More of something than any answer needs (RFC 9113 section 10.5).
  static let floods: [HostileCase] = [
    flood("PING", .ping()),
    flood("answers to PINGs that nobody sent", .ping(1, flags: RawFrame.acknowledgement)),
    flood("SETTINGS", .settings((Setting.maxConcurrentStreams, 1))),
    flood("PRIORITY", RawFrame(.priority, stream: 9, payload: [0, 0, 0, 0, 15])),
    flood("WINDOW_UPDATE", .windowUpdate(0, 1)),
    // They have to be ignored (section 5.5), and cost nothing but the reading. Newer versions of
    // nghttp2 take more than 10,000 at once for a flood.
    HostileCase(
      "10.5", "unknown frames", .inDoubt(errorCode: nil),
      bytes: repeated(9_000, RawFrame(.init(rawValue: 0xEE)))),
    flood("GOAWAY", .goAway(lastStream: 1)),
    flood("informational answers", .headers(1, [":status": "103"])),
    flood("PUSH_PROMISE", acknowledges: false) { stream in
      RawFrame(
        .pushPromise, flags: RawFrame.endHeaders, stream: 1,
        payload: (2 * stream).bigEndianBytes + RawFrame.headers(1, [":method": "GET"]).payload)
    },
    flood("CONTINUATION", behind: RawFrame(.headers, stream: 1)) { _ in
      .continuation(1, HPACK.literal("x", "y"))
    },
    flood("empty DATA", .answered, behind: answerHead) { _ in .data(1, "") },
    HostileCase(
      "10.5.1", "100 kB of header fields", .answered,
      bytes: answer("200", [[UInt8]](repeating: field, count: 100).flatMap(\.self))),
    HostileCase(
      "10.5.1", "100 kB of informational fields",
      .inDoubt(errorCode: ErrorCode.internalError),
      bytes: answer("103", [[UInt8]](repeating: field, count: 100).flatMap(\.self))),
    HostileCase(
      "10.5.1", "fields that HPACK makes 4 kB of a byte", .answered,
      bytes: answer("410", bomb)),
    HostileCase(
      "10.5.1", "trailers that HPACK makes 4 kB of a byte", .answered,
      bytes: answerHead.bytes + inFrames(bomb)),
  ]

  private static let answerHead = RawFrame.headers(1, [":status": "200"])
  private static let field = HPACK.literal("x", String(repeating: "v", count: 1000))
  private static let bomb =
    HPACK.indexed("x", String(repeating: "v", count: 4000))
    + [UInt8](repeating: 0xBE, count: 16_000)

  private static func flood(_ name: String, _ frame: RawFrame) -> HostileCase {
    flood(name) { _ in frame }
  }

  private static func flood(
    _ name: String, _ end: Exchange.End = .inDoubt(errorCode: nil), acknowledges: Bool = true,
    behind start: RawFrame? = nil, _ frame: (UInt32) -> RawFrame
  ) -> HostileCase {
    HostileCase(
      "10.5", name, end, goodbye: ErrorCode.enhanceYourCalm, acknowledges: acknowledges,
      bytes: (start?.bytes ?? []) + (1...11_000).flatMap { frame($0).bytes })
  }

  private static func answer(_ status: String, _ fields: [UInt8]) -> [UInt8] {
    inFrames(HPACK.literal(":status", status) + fields)
  }

  private static func inFrames(_ block: [UInt8]) -> [UInt8] {
    let parts = stride(from: 0, to: block.count, by: 16_384).map {
      Array(block[$0..<min(block.count, $0 + 16_384)])
    }
    return RawFrame(.headers, flags: RawFrame.endStream, stream: 1).bytes
      + parts.flatMap { RawFrame.continuation(1, $0).bytes }
      + RawFrame.continuation(1, [], flags: RawFrame.endHeaders).bytes
  }
}
