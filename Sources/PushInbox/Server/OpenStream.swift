internal import CMicroHTTPD

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
