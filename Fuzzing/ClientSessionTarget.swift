import HTTP2

extension FuzzTarget {
  /// What a server says while three pushes are under way: it is understood alike however it is cut,
  /// and each push ends once, in one of the three ways.
  static let clientSession = FuzzTarget("ClientSession") { bytes in
    let stream = FrameStream(bytes, behind: settingsFrames)
    let whole = try ClientTrial([stream.whole[...]])
    let inPieces = try ClientTrial(stream.pieces)
    try expect(
      whole.agrees(with: inPieces), "it does not matter how bytes are cut",
      "\(whole), \(inPieces)")
  }
}

/// What a client session makes of a server's bytes.
private struct ClientTrial {
  private static let head = RequestHead(
    authority: "localhost", pathPrefix: "/3/device/", fields: [], varying: "apns-id")

  private var ends: [String] = []
  private var failure: Int32?
  private var goAway: GoAway?
  private var concurrency: Int?
  private var said: [UInt8] = []
  private var isFinished = false

  init(_ pieces: [ArraySlice<UInt8>]) throws {
    let session = try ClientSession()
    let channel = KeptBytes()
    let exchanges = try (0..<3).map { try Self.submit($0, to: session) }
    _ = try session.send(over: channel)
    _ = channel.takeAll()
    do {
      for piece in pieces { try piece.withUnsafeBytes { try session.receive($0) } }
      _ = try session.send(over: channel)
    } catch let error as SessionError {
      failure = error.code
      _ = try? session.send(over: channel)
    }
    (said, goAway, concurrency) = (channel.takeAll(), session.goAway, session.peerConcurrency)
    isFinished = session.isFinished
    session.abandon()
    session.takeEnded { ends.append("\($0.tag) \($0.status) \($0.headers.fields) \($0.body)") }
    try expect(ends.count == 3, "each push ends once", "\(ends)")
    for exchange in exchanges { try Self.expectEnd(of: exchange) }
  }

  /// Once the session is finished nghttp2 reads no further piece.
  func agrees(with other: ClientTrial) -> Bool {
    guard ends == other.ends, isFinished == other.isFinished else { return false }
    return isFinished
      || said == other.said && failure == other.failure && goAway == other.goAway
        && concurrency == other.concurrency
  }

  private static func submit(_ tag: Int, to session: ClientSession) throws -> Exchange {
    let exchange = Exchange()
    exchange.tag = tag
    let isReady = Array("0a1b".utf8).withUnsafeBufferPointer { path in
      exchange.prepare(head, pathEnd: path, body: [0x7B, 0x7D]) { room in
        room[0] = UInt8(ascii: "1")
        return 1
      }
    }
    try expect(isReady, "an exchange has room")
    try session.submit(exchange)
    return exchange
  }

  private static func expectEnd(of exchange: Exchange) throws {
    let isAnswered = exchange.end == .answered
    try expect(exchange.end != nil, "a push ends")
    try expect(
      isAnswered == (exchange.status >= 200), "a final status is an answer",
      "\(exchange.status), \(String(describing: exchange.end))")
    try expect(exchange.body.count <= Exchange.bodyLimit, "a body has a limit")
  }
}
