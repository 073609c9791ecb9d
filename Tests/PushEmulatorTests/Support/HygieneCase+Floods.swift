import TestSupport

extension HygieneCase {
  private static let calm = Verdict.connectionError(ErrorCode.enhanceYourCalm)
  private static let tooMany = 11_000

  /// More of something than anybody needs (RFC 9113 section 10.5).
  static let floods: [HygieneCase] = [
    flood("PING", .ping()),
    flood("answers to PINGs that nobody sent", .ping(1, flags: RawFrame.acknowledgement)),
    flood("SETTINGS", .settings()),
    flood("SETTINGS that change every window", .settings((Setting.initialWindowSize, 1))),
    flood("PRIORITY", RawFrame(.priority, stream: 9, payload: [0, 0, 0, 0, 15])),
    // One has to be ignored (section 5.5).
    flood("unknown frames", RawFrame(.init(rawValue: 0xEE))),
    flood("WINDOW_UPDATE", .windowUpdate(0, 1)),
    flood("empty DATA", .data(1, ""), behind: RawPush.opening()),
    flood(
      "DATA that is padding only", RawFrame(.data, flags: RawFrame.padded, stream: 1, payload: [0]),
      behind: RawPush.opening()),
    flood(
      "empty DATA on a stream that the server has reset", .data(1, ""),
      behind: RawPush.opening(1, (":METHOD", "POST"))),
    flood("empty CONTINUATION", .continuation(1, []), behind: RawPush.headers(flags: 0, [])),
    flood("CONTINUATION", .continuation(1, RawPush.block()), behind: RawPush.headers(flags: 0, [])),
    HygieneCase(
      "10.5", "streams that are reset at once", calm,
      bytes: streams { RawPush.opening($0).bytes + RawFrame.reset($0, ErrorCode.cancel).bytes }),
    HygieneCase(
      "10.5", "whole requests that are reset at once", calm,
      bytes: streams { RawPush.request($0).bytes + RawFrame.reset($0, ErrorCode.cancel).bytes }),
    HygieneCase(
      "10.5", "malformed requests", calm,
      bytes: streams { RawPush.request($0, [(":METHOD", "POST")]).bytes }),
    HygieneCase(
      "5.1.2", "streams above the limit", calm,
      bytes: streams { RawPush.opening($0).bytes }),
    HygieneCase(
      "6.5", "33 settings in a frame", calm,
      RawFrame(.settings, payload: (0..<33).flatMap { _ in [0xAB, 0xCD, 0, 0, 0, 1] })),
    HygieneCase(
      "10.5.1", "20 kB of header fields", .answered, bytes: request(fieldOf: 1000, times: 20)),
    HygieneCase(
      "10.5.1", "100 kB of header fields", .streamError(ErrorCode.enhanceYourCalm),
      bytes: request(fieldOf: 1000, times: 100)),
    HygieneCase(
      "10.5.1", "fields that HPACK makes 4 kB of a byte", .streamError(ErrorCode.enhanceYourCalm),
      bytes: bomb(HPACK.indexed("x", String(repeating: "v", count: 4000)), [0xBE])),
    HygieneCase(
      "10.5.1", "small fields that HPACK makes of a byte", .streamError(ErrorCode.enhanceYourCalm),
      bytes: bomb([], [0x90])),
    HygieneCase(
      "10.5.1", "trailers that HPACK makes 4 kB of a byte",
      .streamError(ErrorCode.enhanceYourCalm),
      bytes: RawPush.opening().bytes
        + inFrames(
          HPACK.indexed("x", String(repeating: "v", count: 4000))
            + [UInt8](repeating: 0xBE, count: 16_000))),
  ]

  private static func flood(
    _ name: String, _ frame: RawFrame, _ verdict: Verdict = calm, behind start: RawFrame? = nil
  ) -> HygieneCase {
    let frames = [[UInt8]](repeating: frame.bytes, count: tooMany)
    return HygieneCase("10.5", name, verdict, bytes: (start?.bytes ?? []) + frames.joined())
  }

  private static func streams(_ bytes: (UInt32) -> [UInt8]) -> [UInt8] {
    (0..<UInt32(tooMany)).flatMap { bytes(2 * $0 + 1) }
  }

  private static func request(fieldOf size: Int, times: Int) -> [UInt8] {
    let field = HPACK.literal("x", String(repeating: "v", count: size))
    return inFrames(RawPush.block() + [[UInt8]](repeating: field, count: times).joined())
  }

  private static func bomb(_ fuse: [UInt8], _ charge: [UInt8]) -> [UInt8] {
    inFrames(RawPush.block() + fuse + [[UInt8]](repeating: charge, count: 16_000).joined())
  }

  /// A request or trailers whose header block takes several frames.
  private static func inFrames(_ block: [UInt8]) -> [UInt8] {
    let parts = stride(from: 0, to: block.count, by: 16_384).map {
      Array(block[$0..<min(block.count, $0 + 16_384)])
    }
    return RawPush.headers(flags: RawFrame.endStream, []).bytes
      + parts.flatMap { RawFrame.continuation(1, $0).bytes }
      + RawFrame.continuation(1, [], flags: RawFrame.endHeaders).bytes
  }
}
