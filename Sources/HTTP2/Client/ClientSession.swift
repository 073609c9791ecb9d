internal import CNGHTTP2

/// The client side of an HTTP/2 connection: streams, HPACK, SETTINGS, GOAWAY, RST_STREAM.
///
/// It does no I/O of its own. The owner feeds it received bytes, submits requests, lets it send,
/// and checks which exchanges ended and what the peer reported. A session belongs to one thread.
public final class ClientSession {
  /// The peer's limit on concurrent streams; nil until its first SETTINGS frame.
  public private(set) var peerConcurrency: Int?

  /// The peer's GOAWAY, with the lowest last stream if there were several; nil if there was none.
  public private(set) var goAway: GoAway?

  /// The number of PINGs acknowledged.
  public private(set) var pingsAcknowledged = 0

  private var frames: FrameSession?
  /// nghttp2's session, owned by `frames`: pushes need no more of it.
  private var pointer: OpaquePointer?
  /// The peer's protocol violation; nil if there was none.
  private var fault: SessionError?
  private var saidGoodbye = false
  private var open: [Exchange] = []
  private var ended: [Exchange] = []

  /// Creates a session with its preface and SETTINGS ready to send.
  ///
  /// - Parameter firstStream: the ID of the first stream, which must be odd. Values other than 1
  ///   are for tests of exhausted stream IDs.
  /// - Throws: `SessionError` if memory runs out or the ID is even.
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
    (self.frames, pointer) = (frames, frames.pointer)
  }

  /// The number of open requests.
  public var openCount: Int { open.count }

  /// True if a new stream may be opened: neither side has sent GOAWAY and stream IDs are left.
  public var acceptsRequests: Bool {
    guard goAway == nil, !saidGoodbye, let pointer else { return false }
    return nghttp2_session_check_request_allowed(pointer) != 0
  }

  /// Opens a stream for a prepared exchange.
  ///
  /// Requests beyond the peer's limit on concurrent streams wait inside the session.
  ///
  /// - Throws: `SessionError` if stream IDs are exhausted, either side has sent GOAWAY, memory runs
  ///   out, or the exchange was not prepared since it last ended; the exchange is not open then.
  public func submit(_ exchange: Exchange) throws(SessionError) {
    guard let pointer, goAway == nil, !saidGoodbye else {
      throw SessionError(Int(NGHTTP2_ERR_START_STREAM_NOT_ALLOWED.rawValue))
    }
    try exchange.submit(to: pointer)
    exchange.openIndex = open.count
    open.append(exchange)
  }

  /// Cancels an open exchange. If it still waits inside the session, it ends at once as *not
  /// processed*. Otherwise it ends after the reset is sent, as *in doubt* unless it was answered.
  public func cancel(_ exchange: Exchange) {
    guard let frames, isOpen(exchange) else { return }
    if !exchange.headersSent && withdraw(exchange) { return }
    nghttp2_submit_rst_stream(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), exchange.streamID,
      NGHTTP2_CANCEL.rawValue)
  }

  /// Sends a PING to check that the peer is alive.
  public func ping() {
    guard let frames else { return }
    nghttp2_submit_ping(frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// Closes the session gracefully with GOAWAY: no more requests are accepted, and the session is
  /// finished once all open ones have ended.
  public func close() {
    guard let frames, !saidGoodbye else { return }
    saidGoodbye = true
    // Not terminate_session, which would cut off open requests. The last stream is 0 because the
    // peer opened none.
    nghttp2_submit_goaway(
      frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, NGHTTP2_NO_ERROR.rawValue, nil, 0)
  }

  /// Processes received bytes.
  ///
  /// On most protocol violations nghttp2 ends the session by itself: it ignores further input and
  /// prepares a GOAWAY. The next ``send(over:)`` then throws.
  ///
  /// - Throws: `SessionError` if the peer violates the protocol beyond recovery, or floods. Pending
  ///   output then reports it to the peer; all that is left to do is to `abandon` the session.
  public func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
    try frames?.receive(bytes) { open.count }
  }

  /// Sends pending output.
  ///
  /// - Returns: true if all of it was sent, false if the channel is full.
  /// - Throws: `ChannelFailure` or `SessionError`, including for a protocol violation by the peer;
  ///   the session is then unusable.
  public func send(over channel: borrowing some ByteChannel & ~Copyable) throws -> Bool {
    let isSent = try frames?.send(over: channel) ?? true
    if let fault { throw fault }
    return isSent
  }

  /// True if nothing more will be sent or received. `abandon` ends whatever is still open then.
  public var isFinished: Bool { frames?.isFinished ?? true }

  /// Passes on the exchanges that have ended since the last call.
  public func takeEnded(_ body: (Exchange) -> Void) {
    // Swapped out so that `body` may submit again.
    var taken: [Exchange] = []
    swap(&taken, &ended)
    for exchange in taken { body(exchange) }
    if ended.isEmpty {
      taken.removeAll(keepingCapacity: true)
      swap(&taken, &ended)
    }
  }

  /// Ends all open exchanges after the connection is lost: as *not processed* if the request had
  /// not left this session, otherwise as *in doubt*.
  public func abandon() {
    (frames, pointer) = (nil, nil)
    for exchange in open {
      exchange.closed(errorCode: nil, goAway)
      ended.append(exchange)
    }
    open.removeAll()
  }
}

// Events reported by nghttp2.
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

  /// Handles this side's own GOAWAY, just before it is sent.
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

  /// Ends an exchange whose request waits inside nghttp2, which will drop it unsent. Otherwise it
  /// would end only once the peer's limit let it through.
  ///
  /// - Returns: false if nghttp2 cannot release it.
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
    // It is moved, never dropped: the callbacks retain nothing.
    let (place, last) = (exchange.openIndex, open.count - 1)
    if place != last {
      open.swapAt(place, last)
      open[place].openIndex = place
    }
    ended.append(open.removeLast())
  }
}

extension GoAway {
  init(_ frame: nghttp2_goaway) {
    let debug = UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len)
    self.init(
      lastStream: frame.last_stream_id, errorCode: frame.error_code,
      debugData: Array(debug.prefix(4096)))
  }

  /// Merges two frames: the lowest last stream, with the newest error and text.
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
