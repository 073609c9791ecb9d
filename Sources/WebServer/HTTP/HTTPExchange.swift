internal import CMicroHTTPD
internal import POSIX

/// A request being received by libmicrohttpd. Only the server's thread uses it.
final class HTTPExchange {
  private(set) var request = HTTPRequest(method: "", path: "")
  /// The client wants only the head of the response.
  private(set) var isHead = false
  /// The head has arrived and is read.
  private(set) var hasHead = false
  /// The answer that another thread makes.
  var longAnswer: LongAnswer?
  let socket: Int32
  private let target: String
  /// The address of what follows the target and its terminating zero.
  private let end: UnsafePointer<CChar>

  /// Keeps the target, which libmicrohttpd is about to take apart.
  init(_ connection: OpaquePointer, target: UnsafePointer<CChar>) {
    socket = fanfare_http_socket(connection)
    self.target = String(cString: target)
    end = target + strlen(target) + 1
  }

  /// Reads the head.
  func readHead(
    _ connection: OpaquePointer, _ method: String, version: UnsafePointer<CChar>
  ) {
    hasHead = true
    isHead = method == "HEAD"
    var head = HTTPHead(target: target, size: fanfare_http_head_size(connection))
    // Only a zero byte within the target keeps the version from following its end.
    head.hasZero = version > end && version < end + HTTPHead.sizeLimit
    Self.forEach(connection, fanfare_http_headers()) { head.add($0, $1) }
    request = head.request(isHead ? "GET" : method)
  }

  /// Appends a part of the body, which is dropped once it exceeds the limit.
  func take(_ bytes: UnsafeRawBufferPointer, limit: Int) {
    guard request.fault == nil else { return }
    guard request.body.count + bytes.count <= limit else {
      request.body = []
      request.fault = .tooLong(limit)
      return
    }
    request.body.append(contentsOf: bytes)
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
final class OpenStream: Sleeper {
  private static let blockSize = 16 * 1024

  private let body: any BodyStream
  private let connection: OpaquePointer
  private let sleeping: SleepingStreams
  /// The rest of the last piece, which the client has not read yet.
  private var pending: ArraySlice<UInt8> = []
  var isAbandoned = false

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

  /// Fills the buffer with what is available; 0 if the connection was suspended, -1
  /// (`MHD_CONTENT_READER_END_OF_STREAM`) at the end, and -2 to close the connection.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if isAbandoned { return -2 }
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
    sleeping.suspend(self, connection, until: time, unlessChangedSince: changes)
  }

  private func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = pending.prefix(buffer.count)
    buffer.copyBytes(from: piece)
    pending = pending.dropFirst(piece.count)
    return piece.count
  }
}
