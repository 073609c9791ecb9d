import HTTP2

extension FuzzTarget {
  /// What a client says to the emulator: it is understood alike however it is cut, and what is kept
  /// of it has a bound.
  static let serverSession = FuzzTarget("ServerSession") { bytes in
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settingsFrames
    let stream = FrameStream(bytes, behind: preface)
    let whole = try ServerTrial([stream.whole[...]])
    let inPieces = try ServerTrial(stream.pieces)
    // When nothing is open after a GOAWAY, nghttp2 reads no further piece; what it makes of the rest
    // of this one depends on the cut, and nobody needs it.
    try expect(
      stream.saysGoodbye || whole == inPieces, "it does not matter how bytes are cut",
      "\(whole), \(inPieces)")
  }
}

/// What a server session makes of a client's bytes.
private struct ServerTrial: Equatable {
  private var requests: [String] = []
  private var failure: Int32?
  private var said: [UInt8] = []

  init(_ pieces: [ArraySlice<UInt8>]) throws {
    let session = try ServerSession(maxConcurrentStreams: 100)
    let channel = KeptBytes()
    do {
      for piece in pieces { try piece.withUnsafeBytes { try session.receive($0) } }
    } catch let error as SessionError { failure = error.code }
    try session.takeRequests { request in
      try Self.expectBounds(of: request)
      requests.append("\(request.streamID) \(request.headers.fields) \(request.body)")
      // Of a session that has failed nothing more is asked.
      if failure == nil { try Self.answer(request, session) }
    }
    _ = try session.send(over: channel)
    said = channel.takeAll()
    try expect(failure != nil || session.openCount <= 100, "streams are limited")
  }

  private static func answer(_ request: ServerRequest, _ session: ServerSession) throws {
    if request.streamID % 4 == 3 { return session.reset(request, errorCode: 8) }
    try session.respond(
      to: request, status: 400, fields: [Field("apns-id", "id", indexing: .never)],
      body: Array(#"{"reason":"BadDeviceToken"}"#.utf8))
  }

  private static func expectBounds(of request: ServerRequest) throws {
    try expect(request.body.count <= ServerRequest.bodyLimit, "a body has a limit")
    try expect(request.body.count <= request.bodyCount, "a body is not longer than it was")
    let size = request.headers.fields.reduce(0) {
      $0 + $1.name.utf8.count + $1.value.utf8.count + HeaderBlock.fieldCost
    }
    try expect(
      size <= 3 * HeaderBlock.limit, "a header list has a limit", "\(size)")
  }
}
