import TestSupport

extension HygieneCase {
  private static let protocolError = Verdict.connectionError(ErrorCode.protocolError)
  private static let frameSize = Verdict.connectionError(ErrorCode.frameSize)
  private static let compression = Verdict.connectionError(ErrorCode.compression)

  /// How a connection begins, and frames of the wrong form.
  static let frames: [HygieneCase] = [
    HygieneCase(
      "3.4", "HTTP/1.1", protocolError, nil, false,
      bytes: Array("POST /3/device/0a1b HTTP/1.1\r\n\r\n".utf8)),
    HygieneCase(
      "3.4", "a preface with a wrong end", protocolError, nil, false,
      bytes: RawFrame.preface.dropLast() + [0] + RawFrame.settings().bytes),
    HygieneCase(
      "3.4", "PING before SETTINGS", protocolError, nil, false,
      bytes: RawFrame.preface + RawFrame.ping().bytes),
    HygieneCase(
      "3.4", "an acknowledgement before SETTINGS", protocolError, nil, false,
      bytes: RawFrame.preface + RawFrame.settingsAcknowledged.bytes),
    HygieneCase(
      "4.1", "an unknown frame type", .ignored,
      RawFrame(.init(rawValue: 0xEE), flags: 0xFF, stream: 77, payload: [1, 2, 3])),
    HygieneCase(
      "4.1", "flags that PING does not have", .ignored,
      RawFrame(.ping, flags: 0xFE, payload: [UInt8](repeating: 0, count: 8))),
    HygieneCase(
      "4.1", "the reserved bit of a stream number", .answered,
      RawPush.request(1 | 1 << 31)),
    HygieneCase(
      "4.2", "DATA above the largest frame size", frameSize, RawPush.opening(),
      RawFrame(.data, stream: 1, payload: [UInt8](repeating: 0, count: 16_385))),
    HygieneCase(
      "4.2", "HEADERS above the largest frame size", frameSize,
      RawPush.headers(flags: RawFrame.endHeaders, [UInt8](repeating: 0x82, count: 16_385))),
    HygieneCase(
      "4.2", "SETTINGS above the largest frame size", frameSize,
      RawFrame(.settings, payload: [UInt8](repeating: 0, count: 16_386))),
    HygieneCase(
      "7541 6.1", "index 0", compression, RawPush.headers(flags: RawFrame.endHeaders, [0x80])),
    HygieneCase(
      "7541 2.3.3", "an index beyond the table", compression,
      RawPush.headers(flags: RawFrame.endHeaders, [0xFF, 0x7F])),
    HygieneCase(
      "7541 5.1", "an endless number", compression,
      RawPush.headers(flags: RawFrame.endHeaders, [0xFF] + [UInt8](repeating: 0xFF, count: 20))),
    HygieneCase(
      "7541 5.2", "a Huffman code that breaks off", compression,
      RawPush.headers(flags: RawFrame.endHeaders, [0, 0x81, 0, 0x81, 0])),
    HygieneCase(
      "7541 6.3", "a table above what was allowed", compression,
      RawPush.headers(flags: RawFrame.endHeaders, HPACK.tableSize(4097) + RawPush.block())),
    HygieneCase(
      "7541 4.2", "another table size behind a field", compression,
      RawPush.headers(flags: RawFrame.endHeaders, RawPush.block() + HPACK.tableSize(0))),
    HygieneCase(
      "4.3", "a header block that breaks off inside a field", compression,
      RawPush.headers(flags: RawFrame.endHeaders, RawPush.block().dropLast())),
    HygieneCase(
      "6.1", "DATA on stream 0", protocolError, RawFrame.data(0, "x")),
    HygieneCase(
      "6.1", "more padding than DATA has", protocolError, RawPush.opening(),
      RawFrame(.data, flags: RawFrame.padded, stream: 1, payload: [5, 0, 0, 0, 0])),
    HygieneCase(
      "6.1", "padded DATA without a length of its padding", protocolError, RawPush.opening(),
      RawFrame(.data, flags: RawFrame.padded, stream: 1)),
    HygieneCase(
      "6.1", "padded DATA", .answered, RawPush.opening(),
      RawFrame(
        .data, flags: RawFrame.padded | RawFrame.endStream, stream: 1, payload: [3, 123, 0, 0, 0])
    ),
    HygieneCase("6.2", "HEADERS on stream 0", protocolError, RawPush.request(0)),
    HygieneCase(
      "6.2", "more padding than HEADERS has", protocolError,
      RawPush.headers(flags: RawFrame.endHeaders | RawFrame.padded, [200] + RawPush.block())),
    HygieneCase(
      "6.2", "padded HEADERS with a priority", .answered,
      RawPush.headers(
        flags: RawFrame.endHeaders | RawFrame.endStream | RawFrame.padded | RawFrame.prioritized,
        [2, 0, 0, 0, 0, 15] + RawPush.block() + [0, 0])),
    HygieneCase(
      "5.3.1", "HEADERS that depend on themselves", protocolError,
      RawPush.headers(
        flags: RawFrame.endHeaders | RawFrame.prioritized, [0, 0, 0, 1, 15] + RawPush.block())),
    HygieneCase("6.3", "PRIORITY on stream 0", protocolError, RawFrame(.priority, payload: five))
      .or(.ignored),
    HygieneCase("6.3", "PRIORITY", .ignored, RawFrame(.priority, stream: 7, payload: five)),
    HygieneCase(
      "6.3", "PRIORITY of four bytes", frameSize,
      RawFrame(.priority, stream: 1, payload: [0, 0, 0, 0])),
    HygieneCase(
      "5.3.1", "PRIORITY that depends on itself", protocolError,
      RawFrame(.priority, stream: 7, payload: [0, 0, 0, 7, 15])
    ).or(.ignored),
  ]

  private static let five: [UInt8] = [0, 0, 0, 0, 15]

  /// Frames that steer the connection.
  static let control: [HygieneCase] = [
    HygieneCase("6.4", "RST_STREAM on stream 0", protocolError, RawFrame.reset(0, 8)),
    HygieneCase("6.4", "RST_STREAM on an idle stream", protocolError, RawFrame.reset(1, 8)),
    HygieneCase(
      "6.4", "RST_STREAM of three bytes", frameSize, RawPush.opening(),
      RawFrame(.resetStream, stream: 1, payload: [0, 0, 0])),
    HygieneCase(
      "6.5", "SETTINGS on a stream", protocolError, RawFrame(.settings, stream: 1)),
    HygieneCase("6.5", "SETTINGS of five bytes", frameSize, RawFrame(.settings, payload: five)),
    HygieneCase(
      "6.5", "an acknowledgement that says something", frameSize,
      RawFrame(.settings, flags: RawFrame.acknowledgement, payload: [0, 3, 0, 0, 0, 1])),
    HygieneCase("6.5", "an acknowledgement", .ignored, .settingsAcknowledged),
    HygieneCase(
      "6.5", "an acknowledgement of nothing", protocolError, .settingsAcknowledged,
      .settingsAcknowledged),
    HygieneCase("6.5.2", "an unknown setting", .ignored, RawFrame.settings((0xABCD, 1))),
    HygieneCase(
      "6.5.2", "ENABLE_PUSH 2", protocolError, RawFrame.settings((Setting.enablePush, 2))),
    HygieneCase(
      "6.5.2", "an initial window above 2^31-1",
      .connectionError(ErrorCode.flowControl),
      RawFrame.settings((Setting.initialWindowSize, 1 << 31))),
    HygieneCase(
      "6.5.2", "a largest frame size below 16,384", protocolError,
      RawFrame.settings((Setting.maxFrameSize, 16_383))),
    HygieneCase(
      "6.5.2", "a largest frame size above 2^24-1", protocolError,
      RawFrame.settings((Setting.maxFrameSize, 1 << 24))),
    HygieneCase(
      "6.5.2", "the largest header table", .answered,
      RawFrame.settings((Setting.headerTableSize, .max)), RawPush.request()),
    HygieneCase(
      "6.6", "PUSH_PROMISE", protocolError, RawPush.opening(),
      RawFrame(
        .pushPromise, flags: RawFrame.endHeaders, stream: 1,
        payload: [0, 0, 0, 2] + RawPush.block())),
    HygieneCase(
      "6.7", "PING on a stream", protocolError,
      RawFrame(.ping, stream: 1, payload: [UInt8](repeating: 0, count: 8))),
    HygieneCase("6.7", "PING of five bytes", frameSize, RawFrame(.ping, payload: five)),
    HygieneCase(
      "6.7", "the answer to a PING that nobody sent", .ignored,
      RawFrame.ping(9, flags: RawFrame.acknowledgement)),
    HygieneCase(
      "6.8", "GOAWAY on a stream", protocolError,
      RawFrame(.goAway, stream: 1, payload: [UInt8](repeating: 0, count: 8))),
    HygieneCase("6.8", "GOAWAY of five bytes", frameSize, RawFrame(.goAway, payload: five)),
    HygieneCase("6.8", "GOAWAY", .closed, RawFrame.goAway(lastStream: 0)),
    HygieneCase(
      "6.9", "WINDOW_UPDATE of three bytes", frameSize,
      RawFrame(.windowUpdate, payload: [0, 0, 1])),
    HygieneCase("6.9", "WINDOW_UPDATE by 0", protocolError, RawFrame.windowUpdate(0, 0)),
    HygieneCase(
      "6.9", "WINDOW_UPDATE by 0 on a stream", protocolError,
      RawPush.opening(), RawFrame.windowUpdate(1, 0)),
    HygieneCase(
      "5.1", "WINDOW_UPDATE on an idle stream", protocolError, RawFrame.windowUpdate(1, 1)),
    HygieneCase(
      "6.9.1", "a window above 2^31-1", .connectionError(ErrorCode.flowControl),
      RawFrame.windowUpdate(0, 0x7FFF_FFFF)),
    HygieneCase(
      "6.9.1", "a stream's window above 2^31-1", .streamError(ErrorCode.flowControl),
      RawPush.opening(), RawFrame.windowUpdate(1, 0x7FFF_FFFF)
    ).or(.connectionError(ErrorCode.flowControl)),
    HygieneCase(
      "6.9.2", "SETTINGS that lift a window above 2^31-1", .streamError(ErrorCode.flowControl),
      RawPush.opening(), RawFrame.windowUpdate(1, 0x7FFF_0000),
      RawFrame.settings((Setting.initialWindowSize, 0x7FFF_FFFF))
    ).or(.connectionError(ErrorCode.flowControl)),
    HygieneCase("6.10", "CONTINUATION of nothing", protocolError, RawFrame.continuation(1, [0x82])),
    HygieneCase(
      "6.10", "CONTINUATION on stream 0", protocolError,
      RawPush.headers(flags: 0, RawPush.block()), RawFrame.continuation(0, [])),
    HygieneCase(
      "6.10", "CONTINUATION on another stream", protocolError,
      RawPush.headers(flags: 0, RawPush.block()), RawFrame.continuation(3, [])),
    HygieneCase(
      "6.10", "CONTINUATION behind the end of the header block", protocolError,
      RawPush.request(), RawFrame.continuation(1, [], flags: RawFrame.endHeaders)),
    HygieneCase(
      "6.10", "PING inside a header block", protocolError,
      RawPush.headers(flags: 0, RawPush.block()), RawFrame.ping()),
    HygieneCase(
      "6.10", "an unknown frame inside a header block", protocolError,
      RawPush.headers(flags: 0, RawPush.block()), RawFrame(.init(rawValue: 0xEE))),
    HygieneCase(
      "6.10", "HEADERS inside a header block", protocolError,
      RawPush.headers(flags: 0, RawPush.block()), RawPush.request(3)),
    HygieneCase(
      "6.10", "a header block in three frames", .answered,
      RawPush.headers(flags: RawFrame.endStream, []),
      RawFrame.continuation(1, RawPush.block()),
      RawFrame.continuation(1, [], flags: RawFrame.endHeaders)),
  ]
}
