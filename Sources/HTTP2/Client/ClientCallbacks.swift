internal import CNGHTTP2

// nghttp2 passes each callback the pointer the session was created with: the ClientSession, which
// owns the nghttp2 session and so outlives every callback. Each stream stores a pointer to its
// Exchange, which the ClientSession keeps alive as long. Callbacks run several times per push, so
// nothing is retained here.

func registerClientCallbacks(_ callbacks: OpaquePointer) {
  registerFrameCallbacks(callbacks)
  registerStreamCallbacks(callbacks)
}

/// Registers the callbacks for frames and header fields.
private func registerFrameCallbacks(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, user in
    if let header { withSession(user) { $0.frameBegan(header.pointee.type) } }
    return 0
  }
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, _ in
    // nghttp2 accepts pushes until the server has acknowledged the setting that forbids them.
    if frame?.isPushPromise == true { return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue }
    withExchange(of: frame, in: session) { $0.beginHeaders() }
    return 0
  }
  nghttp2_session_callbacks_set_on_header_callback(callbacks) {
    session, frame, name, nameLength, value, valueLength, _, _ in
    var isExcessive = false
    withExchange(of: frame, in: session) {
      isExcessive = !$0.receiveHeader(
        name: .init(start: name, count: nameLength), value: .init(start: value, count: valueLength))
    }
    // nghttp2 then resets the stream, which keeps its status.
    return isExcessive ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue : 0
  }
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, user in
    if frame?.isHeaders == true {
      withExchange(of: frame, in: session) { $0.endHeaders() }
    } else if let frame {
      withSession(user) { $0.received(frame) }
    }
    return 0
  }
}

/// Registers the callbacks for bodies, sent requests, and closed streams.
private func registerStreamCallbacks(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
    session, _, stream, bytes, count, user in
    withSession(user) { $0.bodyArrived() }
    withExchange(stream, in: session) { $0.receiveBody(.init(start: bytes, count: count)) }
    return 0
  }
  // Not on_frame_send: by then the first of several frames of a header block may already be sent.
  nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) {
    session, frame, user in
    withExchange(of: frame, in: session) { $0.markHeadersSent() }
    if let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_GOAWAY.rawValue {
      withSession(user) { $0.leaves(with: GoAway(frame.pointee.goaway)) }
    }
    return 0
  }
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, stream, code, user in
    withExchange(stream, in: session) { exchange in
      withSession(user) { $0.closed(exchange, errorCode: code) }
    }
    return 0
  }
}

/// Finds the exchange of a HEADERS frame. A PUSH_PROMISE carries its stream's ID too.
private func withExchange(
  of frame: UnsafePointer<nghttp2_frame>?, in session: OpaquePointer?, _ body: (Exchange) -> Void
) {
  if let frame, frame.isHeaders { withExchange(frame.pointee.hd.stream_id, in: session, body) }
}

private func withExchange(
  _ stream: Int32, in session: OpaquePointer?, _ body: (Exchange) -> Void
) {
  guard let pointer = nghttp2_session_get_stream_user_data(session, stream) else { return }
  Unmanaged<Exchange>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
}

private func withSession(_ user: UnsafeMutableRawPointer?, _ body: (ClientSession) -> Void) {
  if let user { Unmanaged<ClientSession>.fromOpaque(user)._withUnsafeGuaranteedRef(body) }
}

extension UnsafePointer<nghttp2_frame> {
  fileprivate var isHeaders: Bool { UInt32(pointee.hd.type) == NGHTTP2_HEADERS.rawValue }

  fileprivate var isPushPromise: Bool {
    UInt32(pointee.hd.type) == NGHTTP2_PUSH_PROMISE.rawValue
  }
}
