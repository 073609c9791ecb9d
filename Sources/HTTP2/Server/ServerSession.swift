internal import CNGHTTP2

/// The server's end of an HTTP/2 connection.
///
/// It does no I/O of its own and knows nothing of what the requests mean. A session belongs to one
/// thread. nghttp2 limits incoming resets by the clock, which a client that gives up on many requests
/// breaks, and counts CONTINUATION frames in parts: `FloodGuard` counts both instead. What nghttp2
/// passes over without a word, `ClientStreams` looks at. nghttp2's other limits are kept.
public final class ServerSession {
  /// The most that the fields of a request may take (SETTINGS_MAX_HEADER_LIST_SIZE): what a client
  /// of APNs read in its first SETTINGS frame (jchambers/pushy#878).
  public static let headerListLimit = 8000

  private(set) var frames: FrameSession?
  private var open: [ServerRequest] = []
  private var complete: [ServerRequest] = []
  private var spare: [ServerRequest] = []
  private var clientFrames = ClientFrames()
  private var refusals: [StreamRefusal] = []
  fileprivate let padding: Int
  var fields = FieldBuffer()

  /// A session that has its SETTINGS ready to send.
  ///
  /// - Parameters:
  ///   - maxConcurrentStreams: how many streams the client may have open; nil says nothing.
  ///   - initialWindowSize: how many bytes of a request's body the client may send before it is
  ///     allowed more; nil says nothing, which means 65,535.
  ///   - options: departures from what is usual.
  /// - Throws: `SessionError` when memory runs out.
  public init(
    maxConcurrentStreams: Int?, initialWindowSize: Int? = nil,
    options: ServerSessionOptions = .init()
  ) throws(SessionError) {
    padding = min(max(0, options.padding), 255)
    let owner = Unmanaged.passUnretained(self).toOpaque()
    frames = try makeFrameSession(
      callbacks: {
        registerServerCallbacks($0)
        if options.padding > 0 { registerPadding($0) }
      },
      options: { set(options, on: $0) },
      create: { nghttp2_session_server_new3($0, $1, owner, $2, $3) })
    try submitSettings(
      maxConcurrentStreams, initialWindowSize, maxHeaderListSize: Self.headerListLimit)
  }

  /// How many requests are open: not answered, or their answer not yet sent.
  public var openCount: Int { open.count }

  /// The streams of the open requests, in no order.
  public var openStreams: [Int32] { open.map(\.streamID) }

  /// Whether a request's stream is open.
  public func isOpen(_ request: ServerRequest) -> Bool {
    open.indices.contains(request.openIndex) && open[request.openIndex] === request
  }

  /// Whether nothing will be sent or received any more.
  public var isFinished: Bool { frames?.isFinished ?? true }

  /// Announces another limit on concurrent streams, another window for the bodies of requests, or
  /// both. Nil leaves a value as it is.
  public func announce(
    maxConcurrentStreams: Int? = nil, initialWindowSize: Int? = nil
  ) throws(SessionError) {
    try submitSettings(maxConcurrentStreams, initialWindowSize)
  }

  /// Lets the client send so many more bytes of bodies on this connection.
  public func enlargeWindow(by bytes: Int32) {
    guard let frames else { return }
    nghttp2_submit_window_update(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, max(0, bytes))
  }

  /// Says that no new streams are taken, and drops the open ones above `lastStream`.
  ///
  /// A friendly frame with the highest stream number and no debug data is the notice of a shutdown
  /// (RFC 9113 section 6.8): streams that are on their way are still taken. After any other frame
  /// requests that arrive are ignored.
  public func goAway(_ frame: GoAway) {
    guard let frames else { return }
    if frame == GoAway(lastStream: .max) {
      nghttp2_submit_shutdown_notice(frames.pointer)
      return
    }
    // nghttp2 takes no stream of the server's own, which has an even number.
    let last = frame.lastStream > 0 ? (frame.lastStream - 1) | 1 : 0
    nghttp2_submit_goaway(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, frame.errorCode,
      frame.debugData, frame.debugData.count)
  }

  /// Ends a stream with an error code (RFC 9113 section 7) instead of an answer.
  public func reset(_ request: ServerRequest, errorCode: UInt32) {
    guard let frames else { return }
    nghttp2_submit_rst_stream(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), request.streamID, errorCode)
  }

  /// Feeds bytes that arrived.
  ///
  /// - Throws: `SessionError` when the client broke the protocol beyond repair, or floods. What is
  ///   to be sent then says so to the client; nothing else can be done with the session.
  public func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
    guard let frames else { return }
    let fault = clientFrames.read(bytes)
    let sound = UnsafeRawBufferPointer(rebasing: bytes[..<(fault?.offset ?? bytes.count)])
    try frames.receive(sound) { open.count }
    if let fault { throw frames.terminated(by: Int(fault.error.rawValue)) }
  }

  /// Sends what there is to send.
  ///
  /// - Returns: true when all of it was handed over, false when the channel is full.
  public func send(over channel: borrowing some ByteChannel & ~Copyable) throws -> Bool {
    try frames?.send(over: channel) ?? true
  }

  /// Hands over the requests that have become complete since the last call. One whose body is far too
  /// long is handed over before its end: what still comes of it is thrown away, and its stream is
  /// reset once it is answered.
  ///
  /// A request may be answered inside `body` or later, as long as its stream is open.
  public func takeRequests(_ body: (ServerRequest) throws -> Void) rethrows {
    if complete.isEmpty { return }
    frames?.floodGuard.workDone(complete.count)
    var taken: [ServerRequest] = []
    swap(&taken, &complete)
    for request in taken { try body(request) }
    if complete.isEmpty {
      taken.removeAll(keepingCapacity: true)
      swap(&taken, &complete)
    }
  }

  /// Tells, once, of the requests that HTTP/2 itself refused since the last call. They were not, and
  /// will not be, handed over.
  public func takeRefusals() -> [StreamRefusal] {
    if refusals.isEmpty { return [] }
    defer { refusals = [] }
    return refusals
  }

  private func submitSettings(
    _ maxConcurrentStreams: Int?, _ initialWindowSize: Int?, maxHeaderListSize: Int? = nil
  ) throws(SessionError) {
    guard let frames else { return }
    let rows = [
      (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, maxHeaderListSize),
      (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, maxConcurrentStreams),
      (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, initialWindowSize),
    ]
    let entries = rows.compactMap { row in
      row.1.map {
        nghttp2_settings_entry(
          settings_id: Int32(row.0.rawValue), value: UInt32(clamping: $0))
      }
    }
    let code = nghttp2_submit_settings(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
    if code != 0 { throw SessionError(Int(code)) }
  }
}

// What nghttp2 reports.
extension ServerSession {
  func frameBegan(_ kind: UInt8) {
    frames?.floodGuard.frameBegan(isContinuation: UInt32(kind) == NGHTTP2_CONTINUATION.rawValue)
  }

  /// - Returns: what nghttp2 is to do: to go on, or to leave the rest of the fields alone.
  func receivedField(
    _ frame: UnsafePointer<nghttp2_frame>, name: UnsafeBufferPointer<UInt8>,
    value: UnsafeBufferPointer<UInt8>
  ) -> Int32 {
    guard let request = request(frame.pointee.hd.stream_id) else { return 0 }
    if frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST {
      request.headers.append(name: name, value: value)
    } else {
      request.headers.leaveOut(name: name, value: value)
    }
    guard request.headers.isExcessive else { return 0 }
    reset(request, errorCode: NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
    refused(frame.pointee.hd.stream_id, .headersTooLong)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
  }

  func receivedBody(_ stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    frames?.floodGuard.bodyArrived()
    guard let request = request(stream) else { return }
    request.receiveBody(bytes)
    if request.bodyCount > ServerRequest.patience { endlessBodyArrived(request) }
  }

  private func endlessBodyArrived(_ request: ServerRequest) {
    guard let frames else { return }
    if !request.isHandedOver {
      handOver(request)
    } else if nghttp2_session_get_stream_local_close(frames.pointer, request.streamID) == 1 {
      reset(request, errorCode: NGHTTP2_NO_ERROR.rawValue)
    }
  }

  private func handOver(_ request: ServerRequest) {
    if request.isHandedOver { return }
    request.isHandedOver = true
    complete.append(request)
  }

  func began(_ stream: Int32) {
    guard let frames, request(stream) == nil else { return }
    let request = spare.popLast() ?? ServerRequest()
    request.reset(stream: stream)
    request.openIndex = open.count
    open.append(request)
    nghttp2_session_set_stream_user_data(
      frames.pointer, stream, Unmanaged.passUnretained(request).toOpaque())
  }

  func request(_ stream: Int32) -> ServerRequest? {
    guard let frames, let pointer = nghttp2_session_get_stream_user_data(frames.pointer, stream)
    else { return nil }
    return Unmanaged<ServerRequest>.fromOpaque(pointer).takeUnretainedValue()
  }

  func received(_ frame: UnsafePointer<nghttp2_frame>) {
    let kind = UInt32(frame.pointee.hd.type)
    if kind == NGHTTP2_RST_STREAM.rawValue { request(frame.pointee.hd.stream_id)?.isGivenUp = true }
    guard kind == NGHTTP2_HEADERS.rawValue || kind == NGHTTP2_DATA.rawValue,
      UInt32(frame.pointee.hd.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0,
      let request = request(frame.pointee.hd.stream_id)
    else { return }
    request.isWhole = true
    handOver(request)
  }

  /// Notes that HTTP/2 refuses a request, once for each.
  func refused(_ stream: Int32, _ cause: StreamRefusal.Cause) {
    let request = request(stream)
    guard request?.isHandedOver != true, refusals.count < StreamRefusal.memory else { return }
    request?.isHandedOver = true
    refusals.append(StreamRefusal(stream: stream, cause: cause, headers: request?.headers))
  }

  func refused(_ stream: Int32, _ code: Int32) {
    guard let frames else { return }
    let limit = nghttp2_session_get_local_settings(
      frames.pointer, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    refused(stream, StreamRefusal.Cause(code, isFull: open.count >= Int(limit)))
  }

  func closed(_ stream: Int32, errorCode: UInt32) {
    guard let index = request(stream)?.openIndex else { return }
    if errorCode == NGHTTP2_PROTOCOL_ERROR.rawValue, !open[index].isGivenUp {
      refused(stream, .malformed(nil))
    }
    if errorCode != NGHTTP2_NO_ERROR.rawValue {
      frames?.forgetCut(of: stream)
    } else if let code = open[index].resetCode {
      reset(open[index], errorCode: code)
    }
    open.swapAt(index, open.count - 1)
    open[index].openIndex = index
    var request = open.removeLast()
    complete.removeAll { $0 === request }
    // Whoever still holds it to answer later must not answer another stream.
    if isKnownUniquelyReferenced(&request) { spare.append(request) }
  }
}

private func registerServerCallbacks(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, user in
    if let header { session(user)?.frameBegan(header.pointee.type) }
    return 0
  }
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

private func registerPadding(_ callbacks: OpaquePointer) {
  nghttp2_session_callbacks_set_select_padding_callback(callbacks) { _, frame, limit, user in
    guard let frame, let session = session(user) else { return 0 }
    return min(limit, frame.pointee.hd.length + session.padding)
  }
}

private func set(_ choices: ServerSessionOptions, on options: OpaquePointer) {
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
