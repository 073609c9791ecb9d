internal import CNGHTTP2

/// The client's end of an HTTP/2 connection: streams, HPACK, SETTINGS, GOAWAY, RST_STREAM.
///
/// It does no I/O of its own. Feed it what arrived, look at what ended and at what the peer said,
/// submit requests, and let it send. A session belongs to one thread.
public final class ClientSession {
  /// The most streams that the peer allows at once; nil until its first SETTINGS frame.
  public private(set) var peerConcurrency: Int?

  /// The peer's GOAWAY; of several, the one with the lowest last stream. Nil when there was none.
  public private(set) var goAway: GoAway?

  /// How many PINGs were answered.
  public private(set) var pingsAcknowledged = 0

  private var frames: FrameSession?
  /// What the peer broke; nil while it has broken nothing.
  private var fault: SessionError?
  private var saidGoodbye = false
  private var open: [Exchange] = []
  private var ended: [Exchange] = []

  /// A session that has its preface and SETTINGS ready to send.
  ///
  /// - Parameter firstStream: the number of the first stream, which is odd. Anything but 1 is for
  ///   tests of what happens when the numbers are used up.
  /// - Throws: `SessionError` when memory runs out, or the number is even.
  public init(firstStream: Int32 = 1) throws(SessionError) {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    let frames = try makeFrameSession(
      callbacks: registerClientCallbacks,
      options: { options in
        nghttp2_option_set_no_closed_streams(options, 1)
        fanfare_set_continuation_limit(options, FloodGuard.limit)
      },
      create: { nghttp2_session_client_new3($0, $1, owner, $2, $3) })
    var settings = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
        value: UInt32(HeaderBlock.limit)),
    ]
    let code = nghttp2_submit_settings(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count)
    guard code == 0 else { throw SessionError(Int(code)) }
    let numbering = nghttp2_session_set_next_stream_id(frames.pointer, firstStream)
    guard numbering == 0 else { throw SessionError(Int(numbering)) }
    self.frames = frames
  }

  /// How many requests are open.
  public var openCount: Int { open.count }

  /// Whether a new stream may be opened: neither side said GOAWAY and stream ids are left.
  public var acceptsRequests: Bool {
    guard goAway == nil, !saidGoodbye, let frames else { return false }
    return nghttp2_session_check_request_allowed(frames.pointer) != 0
  }

  /// Opens a stream for a prepared exchange.
  ///
  /// Beyond the peer's limit on concurrent streams requests wait inside the session.
  ///
  /// - Throws: `SessionError` when stream ids are used up, either side said GOAWAY, memory ran out,
  ///   or the exchange was not prepared since it last ended; the exchange is then not open.
  public func submit(_ exchange: Exchange) throws(SessionError) {
    guard let frames, goAway == nil, !saidGoodbye else {
      throw SessionError(Int(NGHTTP2_ERR_START_STREAM_NOT_ALLOWED.rawValue))
    }
    try exchange.submit(to: frames.pointer)
    exchange.openIndex = open.count
    open.append(exchange)
  }

  /// Gives up on an open exchange. One that still waits inside the session ends at once, *not
  /// processed*. Any other ends once the reset has been sent, *in doubt* unless it was answered.
  public func cancel(_ exchange: Exchange) {
    guard let frames, isOpen(exchange) else { return }
    if !exchange.headersSent && withdraw(exchange) { return }
    nghttp2_submit_rst_stream(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), exchange.streamID,
      NGHTTP2_CANCEL.rawValue)
  }

  /// Asks the peer for a sign of life.
  public func ping() {
    guard let frames else { return }
    nghttp2_submit_ping(frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// Says goodbye: no more requests are accepted, and after what is open has ended, the session is
  /// finished.
  public func close() {
    guard let frames, !saidGoodbye else { return }
    saidGoodbye = true
    // Not terminate_session: it would cut off what is open. The peer opened no stream: the last
    // one is 0.
    nghttp2_submit_goaway(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, NGHTTP2_NO_ERROR.rawValue, nil, 0)
  }

  /// Feeds bytes that arrived.
  ///
  /// When the peer breaks the protocol, nghttp2 mostly ends the session by itself: it ignores what
  /// follows and has a GOAWAY ready to send. Then the next ``send(over:)`` throws.
  ///
  /// - Throws: `SessionError` when the peer broke the protocol beyond repair, or floods. What is to
  ///   be sent then says so to the peer; all that is left to do is to `abandon` the session.
  public func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
    try frames?.receive(bytes) { open.count }
  }

  /// Sends what there is to send.
  ///
  /// - Returns: true when all of it was handed over, false when the channel is full.
  /// - Throws: `ChannelFailure`, or `SessionError`, also when the peer broke the protocol; the session
  ///   is then of no more use.
  public func send(over channel: borrowing some ByteChannel & ~Copyable) throws -> Bool {
    let isSent = try frames?.send(over: channel) ?? true
    if let fault { throw fault }
    return isSent
  }

  /// Whether nothing will be sent or received any more. What is still open then, `abandon` ends.
  public var isFinished: Bool { frames?.isFinished ?? true }

  /// Hands over the exchanges that have ended since the last call.
  public func takeEnded(_ body: (Exchange) -> Void) {
    // Taking the array out lets the body submit again.
    var taken: [Exchange] = []
    swap(&taken, &ended)
    for exchange in taken { body(exchange) }
    if ended.isEmpty {
      taken.removeAll(keepingCapacity: true)
      swap(&taken, &ended)
    }
  }

  /// The connection is lost: everything open ends, *not processed* where the request had not yet
  /// left this session, *in doubt* elsewhere.
  public func abandon() {
    frames = nil
    for exchange in open {
      exchange.closed(errorCode: nil, goAway)
      ended.append(exchange)
    }
    open.removeAll()
  }
}

// What nghttp2 reports.
extension ClientSession {
  func frameBegan(_ kind: UInt8) {
    frames?.floodGuard.frameBegan(isContinuation: UInt32(kind) == NGHTTP2_CONTINUATION.rawValue)
  }

  func bodyArrived() { frames?.floodGuard.bodyArrived() }

  func received(_ frame: UnsafePointer<nghttp2_frame>) {
    switch UInt32(frame.pointee.hd.type) {
    case NGHTTP2_SETTINGS.rawValue: receivedSettings(frame)
    case NGHTTP2_GOAWAY.rawValue: received(GoAway(frame.pointee.goaway))
    case NGHTTP2_PING.rawValue where frame.isAcknowledgement: pingsAcknowledged += 1
    default: break
    }
  }

  /// This side's own goodbye is about to go out.
  func leaves(with goAway: GoAway) { fault = fault ?? SessionError(saidIn: goAway) }

  private func receivedSettings(_ frame: UnsafePointer<nghttp2_frame>) {
    guard let frames, !frame.isAcknowledgement else { return }
    let limit = nghttp2_session_get_remote_settings(
      frames.pointer, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    peerConcurrency = Int(limit)
  }

  private func received(_ new: GoAway) {
    goAway = goAway?.merged(with: new) ?? new
    for exchange in open where !exchange.headersSent { _ = withdraw(exchange) }
  }

  /// Ends an exchange whose request waits inside nghttp2, which will drop it unread. Without this
  /// it would end only when the peer's limit let it through.
  ///
  /// - Returns: false when nghttp2 does not let go of it.
  private func withdraw(_ exchange: Exchange) -> Bool {
    guard let frames,
      nghttp2_session_set_stream_user_data(frames.pointer, exchange.streamID, nil) == 0
    else { return false }
    nghttp2_submit_rst_stream(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), exchange.streamID,
      NGHTTP2_CANCEL.rawValue)
    closed(exchange, errorCode: NGHTTP2_CANCEL.rawValue)
    return true
  }

  private func isOpen(_ exchange: Exchange) -> Bool {
    open.indices.contains(exchange.openIndex) && open[exchange.openIndex] === exchange
  }

  func closed(_ exchange: Exchange, errorCode: UInt32) {
    frames?.floodGuard.workDone()
    exchange.closed(errorCode: errorCode, goAway)
    // First, for the callbacks retain nothing.
    ended.append(exchange)
    let last = open.removeLast()
    if last !== exchange {
      open[exchange.openIndex] = last
      last.openIndex = exchange.openIndex
    }
  }
}

extension GoAway {
  init(_ frame: nghttp2_goaway) {
    let debug = UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len)
    self.init(
      lastStream: frame.last_stream_id, errorCode: frame.error_code,
      debugData: Array(debug.prefix(4096)))
  }

  /// Of several frames the lowest last stream counts, and the newest error and text.
  func merged(with new: GoAway) -> GoAway {
    GoAway(
      lastStream: min(lastStream, new.lastStream),
      errorCode: new.errorCode == 0 ? errorCode : new.errorCode,
      debugData: new.debugData.isEmpty ? debugData : new.debugData)
  }
}

extension UnsafePointer<nghttp2_frame> {
  var isAcknowledgement: Bool { UInt32(pointee.hd.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 }
}
