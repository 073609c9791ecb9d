internal import CNGHTTP2

// nghttp2 gives each callback the pointer that the session was made with: the ClientSession, which
// owns the nghttp2 session and so outlives every callback.

func registerClientCallbacks(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, user in
    if let header { session(user)?.frameBegan(header.pointee.type) }
    return 0
  }
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
    guard let frame else { return 0 }
    // Until the server has acknowledged that it must not push, nghttp2 lets it.
    if UInt32(frame.pointee.hd.type) == NGHTTP2_PUSH_PROMISE.rawValue {
      return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    session(user)?.exchange(ofHeaders: frame)?.beginHeaders()
    return 0
  }
  nghttp2_session_callbacks_set_on_header_callback(callbacks) {
    _, frame, name, nameLength, value, valueLength, _, user in
    guard let frame else { return 0 }
    return session(user)?.receivedField(
      frame, name: .init(start: name, count: nameLength),
      value: .init(start: value, count: valueLength)) ?? 0
  }
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
    if let frame { session(user)?.received(frame) }
    return 0
  }
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
    _, _, stream, bytes, count, user in
    session(user)?.receivedBody(stream, .init(start: bytes, count: count))
    return 0
  }
  // Not on_frame_send: of a header block in several frames the first may be on its way by then.
  nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) { _, frame, user in
    if let frame { session(user)?.exchange(ofHeaders: frame)?.markHeadersSent() }
    return 0
  }
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, user in
    session(user)?.closed(stream, errorCode: code)
    return 0
  }
}

private func session(_ user: UnsafeMutableRawPointer?) -> ClientSession? {
  user.map { Unmanaged<ClientSession>.fromOpaque($0).takeUnretainedValue() }
}
