internal import CNGHTTP2

/// The part of an nghttp2 session that client and server share: bytes in, bytes out.
///
/// Frames are gathered into records of up to `recordSize` bytes, because nghttp2 hands out one
/// frame at a time and each write costs a TLS record and a system call.
final class FrameSession {
  private static let recordSize = 32_768
  /// How much is fed between two looks at whether the peer floods.
  private static let portion = 16_384
  private static let frameLimit = 16_384 + 9

  let pointer: OpaquePointer
  private let memory: SessionMemory
  var floodGuard = FloodGuard()
  private let outgoing: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var sent = 0

  /// Where sending stops; nil while it does not.
  var cut: FrameCut?

  /// - Parameter memory: what the session was made with.
  init(_ pointer: OpaquePointer, _ memory: SessionMemory) {
    self.pointer = pointer
    self.memory = memory
    outgoing = .allocate(byteCount: Self.recordSize + Self.frameLimit, alignment: 8)
  }

  deinit {
    nghttp2_session_del(pointer)
    outgoing.deallocate()
  }

  /// Whether the session will never again send or receive.
  var isFinished: Bool {
    nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0
      && sent == filled
  }

  /// Whether sending has stopped where it was to.
  var isCut: Bool { cut?.isReached == true && sent == filled }

  /// Sends on: a stream was reset, and will not come to its cut.
  func forgetCut(of stream: Int32) {
    if let cut, cut.stream == stream, !cut.isReached { self.cut = nil }
  }

  /// Feeds bytes that arrived.
  ///
  /// - Parameter openStreams: how many streams are open, as the session's owner counts.
  /// - Throws: `SessionError`; what is to be sent then tells the peer.
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

  /// Ends the session over an error that nghttp2 does not tell the peer of.
  func terminated(by code: Int) -> SessionError {
    let error = SessionError(code)
    nghttp2_session_terminate_session(pointer, error.codeForPeer)
    return error
  }

  /// Sends what there is to send.
  ///
  /// - Returns: true when all of it was handed over, false when the channel is full.
  func send(over channel: borrowing some ByteChannel & ~Copyable) throws -> Bool {
    while try gather() {
      guard try flush(to: channel) else { return false }
    }
    return true
  }

  /// Fills the record; false when there is nothing to send.
  private func gather() throws(SessionError) -> Bool {
    while filled < Self.recordSize, cut?.isReached != true {
      var frame: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(pointer, &frame)
      if count < 0 { throw SessionError(count) }
      // nghttp2 keeps to the smallest limit of RFC 9113 section 4.2; the memory depends on it.
      guard count <= Self.frameLimit else {
        throw SessionError(Int(NGHTTP2_ERR_BUFFER_ERROR.rawValue))
      }
      guard count > 0, let frame else { break }
      append(UnsafeBufferPointer(start: frame, count: count))
    }
    return sent < filled
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

/// Turns a table of C callbacks and options into a session and frees both.
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
  set(options)
  let memory = SessionMemory()
  var functions = memory.functions
  let code = create(&session, callbacks, options, &functions)
  guard code == 0, let session else { throw SessionError(Int(code)) }
  return FrameSession(session, memory)
}
