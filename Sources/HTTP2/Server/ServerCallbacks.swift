internal import CNGHTTP2

/// Registers the callbacks for frames, fields, bodies and ends of streams.
func registerServerCallbacks(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
    if let frame { session(user)?.began(frame.pointee.hd.stream_id) }
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
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) {
    _, frame, code, user in
    if let frame, frame.pointee.hd.type == NGHTTP2_HEADERS.rawValue {
      session(user)?.refused(frame.pointee.hd.stream_id, code)
    }
    return 0
  }
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
    _, _, stream, bytes, count, user in
    session(user)?.receivedBody(stream, .init(start: bytes, count: count))
    return 0
  }
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, user in
    session(user)?.closed(stream, errorCode: code)
    return 0
  }
}

/// Registers the callback that pads frames.
func registerPadding(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_select_padding_callback(callbacks) { _, frame, limit, user in
    guard let frame, let session = session(user) else { return 0 }
    return min(limit, frame.pointee.hd.length + session.padding)
  }
}

/// Sets nghttp2's options for a session.
func setSessionOptions(_ choices: ServerSessionOptions, on options: OpaquePointer) {
  nghttp2_option_set_no_closed_streams(options, 1)
  fanfare_lift_stream_reset_limit(options)
  fanfare_allow_surrounding_blanks(options)
  fanfare_set_continuation_limit(options, FloodGuard.limit)
  if !choices.acknowledgesPings { nghttp2_option_set_no_auto_ping_ack(options, 1) }
  if !choices.refillsWindows { nghttp2_option_set_no_auto_window_update(options, 1) }
}

private func session(_ user: UnsafeMutableRawPointer?) -> ServerSession? {
  user.map { Unmanaged<ServerSession>.fromOpaque($0).takeUnretainedValue() }
}
