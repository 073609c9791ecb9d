internal import CNGHTTP2

/// The part of an nghttp2 session common to client and server: bytes in, bytes out.
///
/// Frames are gathered into records of up to `recordSize` bytes because nghttp2 emits one frame at
/// a time and each write costs a TLS record and a system call.
final class FrameSession {
  private static let recordSize = 32_768
  /// The number of bytes processed between two checks for a flood.
  private static let portion = 16_384
  private static let frameLimit = 16_384 + 9
  private static let resetSize = 13

  let pointer: OpaquePointer
  private let memory: SessionMemory
  var floodGuard = FloodGuard()
  private let outgoing: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var sent = 0
  private var lateResets: ArraySlice<[UInt8]> = []

  /// The point at which sending stops; nil for none.
  var cut: FrameCut?

  /// - Parameter memory: the allocator that the session was created with.
  init(_ pointer: OpaquePointer, _ memory: SessionMemory) {
    self.pointer = pointer
    self.memory = memory
    outgoing = .allocate(
      byteCount: Self.recordSize + Self.frameLimit + Self.resetSize, alignment: 8)
  }

  deinit {
    nghttp2_session_del(pointer)
    outgoing.deallocate()
  }

  /// True if the session will never send or receive again.
  var isFinished: Bool {
    nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0
      && sent == filled && lateResets.isEmpty
  }

  /// True if sending has stopped at the cut.
  var isCut: Bool { cut?.isReached == true && sent == filled }

  /// Removes the cut if its stream was reset before reaching it.
  func forgetCut(of stream: Int32) {
    if let cut, cut.stream == stream, !cut.isReached { self.cut = nil }
  }

  /// Processes received bytes.
  ///
  /// - Parameter openStreams: the number of open streams, as counted by the session's owner.
  /// - Throws: `SessionError`; pending output then reports it to the peer.
  func receive(
    _ bytes: UnsafeRawBufferPointer, openStreams: () -> Int
  ) throws(SessionError) {
    for start in stride(from: 0, to: bytes.count, by: Self.portion) {
      let end = min(bytes.count, start + Self.portion)
      try receive(portion: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      let waiting = nghttp2_session_get_outbound_queue_size(pointer)
      if floodGuard.isExceeded(waitingFrames: waiting, openStreams: openStreams()) {
        throw terminated(by: Int(NGHTTP2_ERR_FLOODED.rawValue))
      }
    }
  }

  private func receive(portion: UnsafeRawBufferPointer) throws(SessionError) {
    let start = portion.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let taken = nghttp2_session_mem_recv(pointer, start, portion.count)
    if taken < 0 { throw terminated(by: taken) }
  }

  /// Ends the session after an error that nghttp2 does not report to the peer.
  func terminated(by code: Int) -> SessionError {
    let error = SessionError(code)
    nghttp2_session_terminate_session(pointer, error.codeForPeer)
    return error
  }

  /// Resets a stream that has ended (RFC 9113 section 8.1), for which newer versions of nghttp2 send
  /// nothing.
  func resetEnded(_ stream: Int32, errorCode: UInt32) {
    let head = [0, 0, 4, UInt8(NGHTTP2_RST_STREAM.rawValue), 0]
    lateResets.append(head + bigEndian(UInt32(stream)) + bigEndian(errorCode))
  }

  /// Sends pending output.
  ///
  /// - Returns: true if all of it was sent, false if the channel is full.
  func send(over channel: borrowing some ByteChannel & ~Copyable) throws -> Bool {
    while try gather() {
      guard try flush(to: channel) else { return false }
    }
    return true
  }

  /// Fills the record; returns false if there is nothing to send.
  private func gather() throws(SessionError) -> Bool {
    while filled < Self.recordSize, cut?.isReached != true {
      guard try appendNext() || !lateResets.isEmpty else { break }
      if !lateResets.isEmpty { appendLateReset() }
    }
    return sent < filled
  }

  private func appendLateReset() { lateResets.popFirst()?.withUnsafeBufferPointer(append) }

  /// Appends nghttp2's next frame; returns false if there is none. Streams may end meanwhile.
  private func appendNext() throws(SessionError) -> Bool {
    var frame: UnsafePointer<UInt8>?
    let count = nghttp2_session_mem_send(pointer, &frame)
    if count < 0 { throw SessionError(count) }
    // The buffer relies on nghttp2 using the smallest frame limit (RFC 9113 section 4.2).
    guard count <= Self.frameLimit else {
      throw SessionError(Int(NGHTTP2_ERR_BUFFER_ERROR.rawValue))
    }
    guard count > 0, let frame else { return false }
    append(UnsafeBufferPointer(start: frame, count: count))
    return true
  }

  private func append(_ frame: UnsafeBufferPointer<UInt8>) {
    guard let start = frame.baseAddress else { return }
    let count = cut?.take(frame) ?? frame.count
    outgoing.baseAddress?.advanced(by: filled).copyMemory(from: start, byteCount: count)
    filled += count
  }

  private func flush(to channel: borrowing some ByteChannel & ~Copyable) throws -> Bool {
    while sent < filled {
      let taken = try channel.send(UnsafeRawBufferPointer(rebasing: outgoing[sent..<filled]))
      if taken == 0 { return false }
      sent += taken
    }
    filled = 0
    sent = 0
    return true
  }
}

private func bigEndian(_ number: UInt32) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian, Array.init)
}

/// Has a field that HTTP/2 forbids reset its stream: newer versions of nghttp2 would leave it out.
private func refuseInvalidFields(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
    NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
  }
}

/// Creates a session from a table of C callbacks and options, and frees both.
func makeFrameSession(
  callbacks configure: (OpaquePointer) -> Void, options set: (OpaquePointer) -> Void,
  create: (
    UnsafeMutablePointer<OpaquePointer?>, OpaquePointer, OpaquePointer,
    UnsafeMutablePointer<nghttp2_mem>
  ) -> Int32
) throws(SessionError) -> FrameSession {
  var callbacks: OpaquePointer?
  var options: OpaquePointer?
  var session: OpaquePointer?
  defer {
    nghttp2_session_callbacks_del(callbacks)
    nghttp2_option_del(options)
  }
  guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0,
    let callbacks, let options
  else { throw SessionError(Int(NGHTTP2_ERR_NOMEM.rawValue)) }
  configure(callbacks)
  refuseInvalidFields(callbacks)
  set(options)
  let memory = SessionMemory()
  var functions = memory.functions
  let code = create(&session, callbacks, options, &functions)
  guard code == 0, let session else { throw SessionError(Int(code)) }
  return FrameSession(session, memory)
}

/// The point at which sending stops: after a number of bytes of a stream's frames, or at its end.
struct FrameCut {
  let stream: Int32
  var bytes: Int
  private(set) var isReached = false

  init(stream: Int32, bytes: Int) {
    self.stream = stream
    self.bytes = max(0, bytes)
    isReached = false
  }

  /// Consumes a frame and returns the number of its bytes to send.
  mutating func take(_ frame: UnsafeBufferPointer<UInt8>) -> Int {
    guard frame.count >= Self.headerSize, Self.stream(of: frame) == stream else {
      return frame.count
    }
    let count = min(bytes, frame.count)
    bytes -= count
    isReached = bytes == 0 || Self.endsStream(frame)
    return count
  }

  private static let headerSize = 9

  private static func stream(of frame: UnsafeBufferPointer<UInt8>) -> Int32 {
    frame[5..<headerSize].reduce(0) { $0 << 8 | Int32($1) }
  }

  /// True if END_STREAM is set, a flag that only DATA and HEADERS have (RFC 9113 section 6).
  private static func endsStream(_ frame: UnsafeBufferPointer<UInt8>) -> Bool {
    let kind = UInt32(frame[3])
    return (kind == NGHTTP2_DATA.rawValue || kind == NGHTTP2_HEADERS.rawValue)
      && UInt32(frame[4]) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
  }
}
