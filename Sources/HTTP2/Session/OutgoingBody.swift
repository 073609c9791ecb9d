internal import CNGHTTP2

/// The body of a request or an answer to be sent. nghttp2 keeps a pointer to it while its stream is
/// open, so it is owned by the exchange or request that the session holds.
final class OutgoingBody {
  /// The bytes to send: those in `copy`, or others that stay in place meanwhile.
  private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var copy = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private var offset = 0

  /// The pace of the bytes; nil to send as many as fit, with nothing after them.
  var pace: Pace?

  /// True if all bytes have been sent.
  var isReleased: Bool { offset == bytes.count }

  deinit { copy.deallocate() }

  /// Starts over with these bytes, which stay in place until the next ``clear()``.
  func lend(_ bytes: UnsafeBufferPointer<UInt8>) {
    clear()
    self.bytes = bytes
  }

  /// Starts over with a copy of these bytes.
  func load(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer(load(copying:)) }

  /// Starts over with a copy of these bytes, in memory that is reused.
  func load(copying bytes: UnsafeBufferPointer<UInt8>) {
    clear()
    if copy.count < bytes.count {
      copy.deallocate()
      copy = .allocate(capacity: bytes.count)
    }
    guard let source = bytes.baseAddress, let target = copy.baseAddress else { return }
    target.update(from: source, count: bytes.count)
    self.bytes = UnsafeBufferPointer(start: target, count: bytes.count)
  }

  /// Forgets the bytes.
  func clear() {
    (bytes, offset) = (UnsafeBufferPointer(start: nil, count: 0), 0)
    if pace != nil { pace = nil }
  }

  /// Passes this body as nghttp2's provider, or nil if it is empty and the headers end the stream.
  func withProvider<Result>(
    _ submit: (UnsafePointer<nghttp2_data_provider>?) -> Result
  ) -> Result {
    if bytes.isEmpty && pace?.hasTrailers != true { return submit(nil) }
    var provider = nghttp2_data_provider(
      source: nghttp2_data_source(ptr: Unmanaged.passUnretained(self).toOpaque()),
      read_callback: readBody)
    return withUnsafePointer(to: &provider) { submit($0) }
  }

  /// Copies the bytes that may be sent now; nil if all of them are held back.
  fileprivate func take(
    _ room: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, isLast: Bool)? {
    let rest = min(room.count, bytes.count - offset)
    let count = pace?.take(rest) ?? rest
    if count == 0 && rest > 0 { return nil }
    if let start = bytes.baseAddress {
      room.baseAddress?.update(from: start + offset, count: count)
    }
    offset += count
    return (count, offset == bytes.count)
  }
}

/// Never returns more than the room offered, less than a frame if the flow-control window is short.
private func readBody(
  _ session: OpaquePointer?, _ stream: Int32, _ room: UnsafeMutablePointer<UInt8>?, _ length: Int,
  _ flags: UnsafeMutablePointer<UInt32>?, _ source: UnsafeMutablePointer<nghttp2_data_source>?,
  _ user: UnsafeMutableRawPointer?
) -> Int {
  guard let owner = source?.pointee.ptr else {
    return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
  }
  return Unmanaged<OutgoingBody>.fromOpaque(owner)._withUnsafeGuaranteedRef { body in
    guard let (count, isLast) = body.take(.init(start: room, count: length)) else {
      return Int(NGHTTP2_ERR_DEFERRED.rawValue)
    }
    guard isLast else { return count }
    flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
    if body.pace?.submitTrailers(session, stream) == true {
      flags?.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
    }
    return count
  }
}

extension OutgoingBody {
  /// The pacing of a body that does not simply fill the frames.
  struct Pace {
    private let frameLimit: Int
    private var allowance: Int
    private let trailers: [Field]

    /// - Parameters:
    ///   - frameLimit: the maximum number of bytes in one DATA frame.
    ///   - allowance: the number of bytes to send before more are allowed.
    ///   - trailers: the fields after the last byte.
    init(frameLimit: Int, allowance: Int, trailers: [Field]) {
      self.frameLimit = frameLimit
      self.allowance = allowance
      self.trailers = trailers
    }

    var hasTrailers: Bool { !trailers.isEmpty }

    /// Allows more bytes to be sent.
    mutating func allow(_ bytes: Int) {
      allowance = allowance.addingReportingOverflow(bytes).overflow ? .max : allowance + bytes
    }

    /// Takes as many of the `rest` bytes as may be sent now, and returns their number.
    mutating func take(_ rest: Int) -> Int {
      let count = min(rest, frameLimit, allowance)
      if allowance != .max { allowance -= count }
      return count
    }

    /// Submits the trailers that follow the body; returns false if there are none.
    func submitTrailers(_ session: OpaquePointer?, _ stream: Int32) -> Bool {
      guard hasTrailers else { return false }
      var fields = FieldBuffer()
      fields.fill(trailers)
      return fields.withNameValues {
        nghttp2_submit_trailer(session, stream, $0.baseAddress, $0.count) == 0
      }
    }
  }
}
