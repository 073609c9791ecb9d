import TestSupport

extension HygieneCase {
  private static let protocolError = Verdict.connectionError(ErrorCode.protocolError)
  private static let streamClosed = Verdict.connectionError(ErrorCode.streamClosed)
  private static let malformed = Verdict.streamError(ErrorCode.protocolError)

  /// The states of streams.
  static let streams: [HygieneCase] = [
    HygieneCase("5.1", "DATA on an idle stream", protocolError, RawFrame.data(1, "x")),
    HygieneCase(
      "5.1", "DATA behind the end of a request", streamClosed, RawPush.request(),
      RawFrame.data(1, "x")),
    HygieneCase(
      "5.1", "HEADERS behind the end of a request", streamClosed, RawPush.request(),
      RawPush.request()),
    HygieneCase(
      "5.1", "DATA on a closed stream", streamClosed, after: RawPush.request(),
      RawFrame.data(1, "x")),
    HygieneCase(
      "5.1", "DATA behind a reset", streamClosed, RawPush.opening(),
      RawFrame.reset(1, ErrorCode.cancel), RawFrame.data(1, "x")),
    HygieneCase(
      "5.1", "HEADERS behind a reset", streamClosed, RawPush.opening(),
      RawFrame.reset(1, ErrorCode.cancel), RawPush.request()),
    HygieneCase(
      "5.1", "DATA that was on its way when the server reset the stream", malformed,
      RawPush.opening(1, (":METHOD", "POST")), RawFrame.data(1, "x"),
      RawFrame.data(1, "", flags: RawFrame.endStream)),
    HygieneCase(
      "5.1", "WINDOW_UPDATE on a closed stream", .ignored, after: RawPush.request(),
      RawFrame.windowUpdate(1, 1)),
    HygieneCase(
      "5.1", "RST_STREAM on a closed stream", .ignored, after: RawPush.request(),
      RawFrame.reset(1, 8)),
    HygieneCase(
      "5.1", "PRIORITY on a closed stream", .ignored, after: RawPush.request(),
      RawFrame(.priority, stream: 1, payload: [0, 0, 0, 0, 15])),
    HygieneCase(
      "5.1", "HEADERS on a closed stream", streamClosed, after: RawPush.request(),
      RawPush.request()),
    HygieneCase(
      "5.1.1", "HEADERS on a stream that was passed over", protocolError,
      after: RawPush.request(5), RawPush.request(3)),
    HygieneCase("5.1.1", "a request on a server's stream", protocolError, RawPush.request(2)),
    HygieneCase(
      "5.1", "a request that is reset at once", .ignored, RawPush.opening(),
      RawFrame.reset(1, ErrorCode.cancel)),
  ]

  /// Requests that are malformed.
  static let requests: [HygieneCase] = [
    HygieneCase(
      "8.1", "trailers", .answered, RawPush.opening(), RawFrame.data(1, "{}"),
      RawPush.request(1, [("checksum", "1")])),
    HygieneCase(
      "8.1", "trailers that do not end the request", malformed, RawPush.opening(),
      RawPush.headers(flags: RawFrame.endHeaders, HPACK.literal("checksum", "1"))),
    HygieneCase(
      "8.1", "a pseudo-header in trailers", malformed, RawPush.opening(),
      RawPush.request(1, [(":method", "POST")])),
    HygieneCase(
      "8.1.1", "a body longer than content-length", malformed,
      RawPush.opening(1, ("content-length", "1")),
      RawFrame.data(1, "{}", flags: RawFrame.endStream)),
    HygieneCase(
      "8.1.1", "a body shorter than content-length", malformed,
      RawPush.opening(1, ("content-length", "3")),
      RawFrame.data(1, "{}", flags: RawFrame.endStream)),
    HygieneCase(
      "8.1.1", "content-length without a body", malformed,
      RawPush.request(adding: ("content-length", "1"))),
    HygieneCase(
      "8.1.1", "content-length that is no number", malformed,
      RawPush.request(adding: ("content-length", "-1"))),
    HygieneCase(
      "8.1.1", "content-length beyond 64 bits", malformed,
      RawPush.request(adding: ("content-length", "99999999999999999999"))),
    HygieneCase(
      "8.1.1", "content-length twice", malformed,
      RawPush.request(adding: ("content-length", "0"), ("content-length", "0"))),
    HygieneCase(
      "8.2", "a name in upper case", malformed, RawPush.request(adding: ("Apns-Priority", "10"))),
    HygieneCase(
      "8.2.1", "a space in a name", malformed, RawPush.request(adding: ("apns priority", "10"))),
    HygieneCase(
      "8.2.1", "a control character in a name", malformed,
      RawPush.request(adding: ("apns\u{1}priority", "10"))),
    HygieneCase("8.2.1", "an empty name", malformed, RawPush.request(adding: ("", "x"))),
    HygieneCase(
      "8.2.1", "a colon inside a name", malformed, RawPush.request(adding: ("apns:id", "x"))),
    HygieneCase(
      "8.2.1", "NUL in a value", malformed,
      RawPush.request(adding: ("apns-collapse-id", "a\u{0}b"))),
    HygieneCase(
      "8.2.1", "a line end in a value", malformed,
      RawPush.request(adding: ("apns-collapse-id", "a\r\napns-topic: b"))),
    HygieneCase(
      "8.2.1", "a space before a value", .answered,
      RawPush.request(adding: ("apns-collapse-id", " a"))),
    HygieneCase(
      "8.2.1", "a tab behind a value", .answered,
      RawPush.request(adding: ("apns-collapse-id", "a\t"))),
    HygieneCase(
      "8.2.2", "connection", malformed, RawPush.request(adding: ("connection", "keep-alive"))),
    HygieneCase(
      "8.2.2", "keep-alive", malformed, RawPush.request(adding: ("keep-alive", "timeout=5"))),
    HygieneCase(
      "8.2.2", "proxy-connection", malformed,
      RawPush.request(adding: ("proxy-connection", "close"))),
    HygieneCase(
      "8.2.2", "transfer-encoding", malformed,
      RawPush.request(adding: ("transfer-encoding", "chunked"))),
    HygieneCase("8.2.2", "upgrade", malformed, RawPush.request(adding: ("upgrade", "h2c"))),
    HygieneCase(
      "8.2.2", "te that is not trailers", malformed, RawPush.request(adding: ("te", "gzip"))),
    HygieneCase("8.2.2", "te: trailers", .answered, RawPush.request(adding: ("te", "trailers"))),
    HygieneCase(
      "8.3", "an unknown pseudo-header", malformed, RawPush.request(adding: (":push", "1"))),
    HygieneCase(
      "8.3", "an answer's pseudo-header", malformed,
      RawPush.request(1, [(":status", "200")] + RawPush.fields)),
    HygieneCase(
      "8.3", "a pseudo-header behind a field", malformed,
      RawPush.request(1, RawPush.fields.reversed())),
    HygieneCase("8.3.1", "no :method", malformed, RawPush.request(without: ":method")),
    HygieneCase("8.3.1", "no :scheme", malformed, RawPush.request(without: ":scheme")),
    HygieneCase("8.3.1", "no :path", malformed, RawPush.request(without: ":path")),
    HygieneCase(
      "8.3.1", ":method twice", malformed,
      RawPush.request(1, [(":method", "POST")] + RawPush.fields)),
    HygieneCase(
      "8.3.1", ":path twice", malformed,
      RawPush.request(1, [(":path", "/3/device/ff")] + RawPush.fields)),
    HygieneCase(
      "8.3.1", "an empty :path", malformed,
      RawPush.request(1, RawPush.fields.map { $0.0 == ":path" ? (":path", "") : $0 })),
    HygieneCase(
      "8.5", "CONNECT", .answered,
      RawPush.request(1, [(":method", "CONNECT"), (":authority", "localhost:443")])),
  ]
}
