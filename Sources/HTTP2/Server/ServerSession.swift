internal import CNGHTTP2

/// The server side of an HTTP/2 connection.
///
/// It does no I/O of its own and does not interpret requests. A session belongs to one thread.
/// nghttp2 limits incoming resets by time, which breaks clients that cancel many requests, counts
/// CONTINUATION frames only in part, and frames that it ignores not at all: `FloodGuard` counts
/// every frame instead. `ClientStreams` checks what nghttp2 silently ignores. nghttp2's other limits
/// stay in force.
public final class ServerSession {
  /// The maximum size of a request's fields (SETTINGS_MAX_HEADER_LIST_SIZE): the value that a
  /// client of APNs saw in its first SETTINGS frame (jchambers/pushy#878).
  public static let headerListLimit = 8000

  private(set) var frames: FrameSession?
  private var open: [ServerRequest] = []
  private var complete: [ServerRequest] = []
  private var spare: [ServerRequest] = []
  private var clientFrames = ClientFrames()
  private var refusals: [StreamRefusal] = []
  let padding: Int
  var fields = FieldBuffer()

  /// Creates a session with its SETTINGS ready to send.
  ///
  /// - Parameters:
  ///   - maxConcurrentStreams: the limit on the client's open streams; nil announces none.
  ///   - initialWindowSize: the number of body bytes that the client may send per request before
  ///     more are allowed; nil announces none, which means 65,535.
  ///   - options: deviations from the usual behavior.
  /// - Throws: `SessionError` if memory runs out.
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
      options: { setSessionOptions(options, on: $0) },
      create: { nghttp2_session_server_new3($0, $1, owner, $2, $3) })
    try submitSettings(
      maxConcurrentStreams, initialWindowSize, maxHeaderListSize: Self.headerListLimit)
  }

  /// The number of open requests: not yet answered, or with the answer not yet sent.
  public var openCount: Int { open.count }

  /// The streams of the open requests, in no particular order.
  public var openStreams: [Int32] { open.map(\.streamID) }

  /// Returns true if the request's stream is open.
  public func isOpen(_ request: ServerRequest) -> Bool {
    open.indices.contains(request.openIndex) && open[request.openIndex] === request
  }

  /// True if nothing more will be sent or received.
  public var isFinished: Bool { frames?.isFinished ?? true }

  /// Announces a new limit on concurrent streams, a new window for request bodies, or both. Nil
  /// keeps a value.
  public func announce(
    maxConcurrentStreams: Int? = nil, initialWindowSize: Int? = nil
  ) throws(SessionError) {
    try submitSettings(maxConcurrentStreams, initialWindowSize)
  }

  /// Allows the client to send this many more body bytes on the connection.
  public func enlargeWindow(by bytes: Int32) {
    guard let frames else { return }
    nghttp2_submit_window_update(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, max(0, bytes))
  }

  /// Sends GOAWAY: no new streams are accepted, and open ones above `lastStream` are dropped.
  ///
  /// Without an error, with the highest stream ID and without debug data, the frame is a shutdown
  /// notice (RFC 9113 section 6.8): streams in transit are still accepted. After any other frame,
  /// new requests are ignored.
  public func goAway(_ frame: GoAway) {
    guard let frames else { return }
    if frame == GoAway(lastStream: .max) {
      nghttp2_submit_shutdown_notice(frames.pointer)
      return
    }
    // nghttp2 rejects streams of the server's own, which have even IDs.
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

  /// Processes received bytes.
  ///
  /// - Throws: `SessionError` if the client violates the protocol beyond recovery, or floods.
  ///   Pending output then reports it to the client; the session is otherwise unusable.
  public func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
    guard let frames else { return }
    let fault = clientFrames.read(bytes) { frame in
      frames.floodGuard.frameBegan(isContinuation: frame.kind == NGHTTP2_CONTINUATION)
    }
    let sound = UnsafeRawBufferPointer(rebasing: bytes[..<(fault?.offset ?? bytes.count)])
    try frames.receive(sound) { open.count }
    if let fault { throw frames.terminated(by: Int(fault.error.rawValue)) }
  }

  /// Sends pending output.
  ///
  /// - Returns: true if all of it was sent, false if the channel is full.
  public func send(over channel: borrowing some ByteChannel & ~Copyable) throws -> Bool {
    try frames?.send(over: channel) ?? true
  }

  /// Passes on the requests completed since the last call. A request with a far too long body is
  /// passed on early: the rest of the body is discarded, and the stream is reset after the answer.
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

  /// Returns the requests that HTTP/2 itself refused since the last call. They are never passed to
  /// `takeRequests`.
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

// Events reported by nghttp2.
extension ServerSession {
  /// - Returns: nghttp2's next step: to continue, or to skip the remaining fields.
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

  /// Records a request that HTTP/2 refuses, once.
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
      frames?.resetEnded(stream, errorCode: code)
    }
    open.swapAt(index, open.count - 1)
    open[index].openIndex = index
    var request = open.removeLast()
    complete.removeAll { $0 === request }
    // Reused only if unreferenced: a late answer must not go to another stream.
    if isKnownUniquelyReferenced(&request) { spare.append(request) }
  }
}

/// Deviations of a server session from the usual behavior, for tests of clients. The default has
/// none.
public struct ServerSessionOptions: Sendable, Hashable {
  /// Acknowledges PING frames (RFC 9113 section 6.7).
  public var acknowledgesPings = true

  /// Refills the flow-control windows as bodies arrive. Otherwise a connection accepts 65,535 body
  /// bytes, and no more until `enlargeWindow` is called.
  public var refillsWindows = true

  /// The number of padding bytes in each HEADERS and DATA frame, at most 255.
  public var padding = 0

  /// Creates the default options.
  public init() {}
}
