internal import CMicroHTTPD

/// A request being received by libmicrohttpd. Only the server's thread uses it.
final class HTTPExchange {
  private(set) var request: HTTPRequest
  /// The client wants only the head of the response.
  let isHead: Bool
  private let bodyLimit: Int

  /// Reads the head.
  init(_ connection: OpaquePointer, _ method: String, _ path: String, bodyLimit: Int) {
    self.bodyLimit = bodyLimit
    isHead = method == "HEAD"
    request = HTTPRequest(method: isHead ? "GET" : method, path: path)
    for name in HTTPRequest.headerNames {
      request.headers[name] = Self.value(connection, fanfare_http_headers(), name)
    }
    Self.forEach(connection, fanfare_http_query()) { name, value in
      let item = QueryItem(escaped: name, value)
      request.query = item.flatMap { item in request.query.map { $0 + [item] } }
    }
  }

  /// Appends a part of the body; false if the body would exceed the limit.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard request.body.count + bytes.count <= bodyLimit else { return false }
    request.body.append(contentsOf: bytes)
    return true
  }

  private static func value(
    _ connection: OpaquePointer, _ kind: MHD_ValueKind, _ name: String
  ) -> String? {
    MHD_lookup_connection_value(connection, kind, name).map { String(cString: $0) }
  }

  private static func forEach(
    _ connection: OpaquePointer, _ kind: MHD_ValueKind, _ body: (String, String) -> Void
  ) {
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { body in
        let context = UnsafeMutableRawPointer(mutating: body)
        MHD_get_connection_values(
          connection, kind,
          { context, _, name, value in
            guard let context, let name else { return fanfare_http_result(1) }
            context.assumingMemoryBound(to: ((String, String) -> Void).self)
              .pointee(String(cString: name), value.map { String(cString: $0) } ?? "")
            return fanfare_http_result(1)
          }, context)
      }
    }
  }
}

/// A streamed response being sent by libmicrohttpd. Only the server's thread uses it.
final class OpenStream {
  private static let blockSize = 16 * 1024

  private let body: any BodyStream
  private let connection: OpaquePointer
  private let sleeping: SleepingStreams
  /// The rest of the last piece, which the client has not read yet.
  private var pending: ArraySlice<UInt8> = []

  private init(_ body: any BodyStream, _ connection: OpaquePointer, _ sleeping: SleepingStreams) {
    (self.body, self.connection, self.sleeping) = (body, connection, sleeping)
  }

  /// A response with the stream as its body; nil if memory runs out.
  static func response(
    _ body: any BodyStream, _ connection: OpaquePointer, _ sleeping: SleepingStreams
  ) -> OpaquePointer? {
    let stream = Unmanaged.passRetained(OpenStream(body, connection, sleeping))
    let response = MHD_create_response_from_callback(
      UInt64.max, blockSize,
      { stream, _, buffer, size in
        guard let stream, let buffer else { return -2 }
        return Unmanaged<OpenStream>.fromOpaque(stream).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }, stream.toOpaque(),
      { stream in
        if let stream { Unmanaged<OpenStream>.fromOpaque(stream).release() }
      })
    if response == nil { stream.release() }
    return response
  }

  /// Fills the buffer with what is available; 0 if the connection was suspended, and -1
  /// (`MHD_CONTENT_READER_END_OF_STREAM`) at the end.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    while count < buffer.count {
      if pending.isEmpty {
        let changes = sleeping.changeCount
        switch body.next(now: uptime()) {
        case .bytes(let bytes): pending = bytes[...]
        case .end: return count > 0 ? count : -1
        case .nothing(let time):
          if count > 0 { return count }
          if sleep(until: time, changes) { return 0 }
          if sleeping.isEnding { return -1 }
        }
      }
      count += take(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
    }
    return count
  }

  private func sleep(until time: Int64, _ changes: Int) -> Bool {
    sleeping.suspend(ObjectIdentifier(self), connection, until: time, unlessChangedSince: changes)
  }

  private func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = pending.prefix(buffer.count)
    buffer.copyBytes(from: piece)
    pending = pending.dropFirst(piece.count)
    return piece.count
  }
}
