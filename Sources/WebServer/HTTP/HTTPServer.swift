internal import CMicroHTTPD
internal import HTTP2
internal import POSIX
internal import Synchronization

/// The resource limits of a server.
struct HTTPLimits: Sendable {
  /// The number of connections that may be open; more wait to be accepted.
  var connections = 256
  /// The number of those that may be waiting for the rest of a request.
  var awaitedHeads = 64
  /// The time for a head, and again for a body, in milliseconds.
  var headMilliseconds: Int64 = 10_000
  /// The seconds a connection may be silent in the middle of a body or a response.
  var idleSeconds = 30
  /// The memory per connection for a request's head and its response, in bytes.
  var connectionMemory = 2 * HTTPHead.sizeLimit
}

/// An HTTP/1.1 server with a single thread. It listens from `init` to `stop()`.
final class HTTPServer: Sendable {
  /// The reason a server did not start.
  enum Failure: Error { case outOfDescriptors, outOfThreads }

  private let core: HTTPCore
  private let daemon: Mutex<HTTPDaemon?>

  /// - Throws: `Failure`.
  init(
    _ listener: borrowing Listener, _ service: any HTTPService, _ limits: HTTPLimits = .init()
  ) throws(Failure) {
    guard let wake = Wake(), let ended = Wake() else { throw .outOfDescriptors }
    let heads = HeadWatch(
      AwaitedHeads(most: limits.awaitedHeads, patience: limits.headMilliseconds), wake: wake)
    core = HTTPCore(
      service, heads,
      SleepingStreams(
        wake: wake, ended: ended, heads: heads, subscribe: { service.callOnChange($0) }))
    guard let socket = listener.duplicate() else { throw .outOfDescriptors }
    guard core.sleeping.start() else { throw .outOfThreads }
    guard let daemon = HTTPDaemon(socket: socket, core, limits) else {
      core.sleeping.end()
      throw .outOfThreads
    }
    self.daemon = Mutex(daemon)
  }

  deinit { stop() }

  /// Closes every connection and returns when the threads have ended. Later calls do nothing.
  func stop() {
    // libmicrohttpd must not be stopped while a connection is suspended.
    core.sleeping.end()
    _ = daemon.withLock { $0.take() }
  }
}

/// The sole owner of libmicrohttpd's daemon. It may be started and stopped on any thread.
private struct HTTPDaemon: ~Copyable, @unchecked Sendable {
  private let daemon: OpaquePointer
  private let core: HTTPCore

  /// - Parameter socket: a listening socket; the daemon takes ownership.
  init?(socket: Int32, _ core: HTTPCore, _ limits: HTTPLimits) {
    let limits = fanfare_http_limits(
      connections: UInt32(clamping: limits.connections),
      idle_seconds: UInt32(clamping: limits.idleSeconds),
      connection_memory: limits.connectionMemory, stack_size: Thread.usualStackSize)
    let callbacks = fanfare_http_callbacks(
      take_target: takeTarget, handle: handle, completed: complete, follow: follow)
    guard
      let daemon = fanfare_start_http(
        socket, limits, callbacks, Unmanaged.passUnretained(core).toOpaque())
    else { return nil }
    (self.daemon, self.core) = (daemon, core)
  }

  deinit { MHD_stop_daemon(daemon) }
}

/// The context of libmicrohttpd's callbacks.
private final class HTTPCore: Sendable {
  let service: any HTTPService
  let heads: HeadWatch
  let sleeping: SleepingStreams

  init(_ service: any HTTPService, _ heads: HeadWatch, _ sleeping: SleepingStreams) {
    (self.service, self.heads, self.sleeping) = (service, heads, sleeping)
  }

  /// Handles the head of a request.
  func begin(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
    let isAwaited = heads.noteArrival(
      on: exchange.socket, isKnown: service.isKnown(exchange.request))
    // The body has as much time as the head, unless libmicrohttpd has it already. A connection that
    // gave way takes no place again: its last bytes may be read after that.
    if isAwaited { heads.expect(on: exchange.socket) }
    guard let refusal = service.refusal(of: exchange.request) else { return fanfare_http_result(1) }
    return send(refusal, exchange, connection)
  }

  /// Answers a whole request.
  func finish(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
    let request = exchange.request
    heads.noteArrival(on: exchange.socket, isKnown: service.isKnown(request))
    if let answer = exchange.longAnswer {
      guard let response = answer.take() else { return fanfare_http_result(0) }
      return send(response, exchange, connection)
    }
    guard service.isLong(request) else {
      return send(service.answer(request), exchange, connection)
    }
    let answer = LongAnswer()
    exchange.longAnswer = answer
    guard sleeping.suspend(answer, connection) else { return fanfare_http_result(0) }
    answer.begin(waking: sleeping) { [service] in service.answer(request) }
    return fanfare_http_result(1)
  }

  private func send(
    _ response: HTTPResponse, _ exchange: HTTPExchange, _ connection: OpaquePointer
  ) -> MHD_Result {
    guard let made = make(response, exchange, connection) else { return fanfare_http_result(0) }
    defer { MHD_destroy_response(made) }
    let headers = [("content-type", response.contentType)] + response.headers
    for (name, value) in headers { MHD_add_response_header(made, name, value) }
    return MHD_queue_response(connection, UInt32(response.status), made)
  }

  private func make(
    _ response: HTTPResponse, _ exchange: HTTPExchange, _ connection: OpaquePointer
  ) -> OpaquePointer? {
    switch response.body {
    // libmicrohttpd 0.9.75 writes the end of a stream even in response to HEAD.
    case .stream where exchange.isHead: return fanfare_http_response(nil, 0)
    case .stream(let body): return OpenStream.response(body, connection, sleeping)
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { fanfare_http_response($0.baseAddress, $0.count) }
    }
  }
}

private let takeTarget:
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
  ) -> UnsafeMutableRawPointer? = { _, target, connection in
    guard let target, let connection else { return nil }
    let exchange = HTTPExchange(connection, target: target)
    fanfare_http_keep_whole(connection, target)
    return Unmanaged.passRetained(exchange).toOpaque()
  }

private let handle: MHD_AccessHandlerCallback = {
  core, connection, _, method, version, upload, uploadSize, slot in
  guard let core, let connection, let method, let version, let uploadSize,
    let exchange = slot?.pointee
  else { return fanfare_http_result(0) }
  let server = Unmanaged<HTTPCore>.fromOpaque(core).takeUnretainedValue()
  let known = Unmanaged<HTTPExchange>.fromOpaque(exchange).takeUnretainedValue()
  guard known.hasHead else {
    known.readHead(connection, String(cString: method), version: version)
    return server.begin(known, connection)
  }
  guard uploadSize.pointee > 0 else { return server.finish(known, connection) }
  let part = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
  known.take(part, limit: server.service.bodyLimit)
  uploadSize.pointee = 0
  return fanfare_http_result(1)
}

private let complete: MHD_RequestCompletedCallback = { core, _, slot, code in
  guard let core, let slot, let pointer = slot.pointee else { return }
  slot.pointee = nil
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
  guard fanfare_http_is_answered(code) else { return }
  let server = Unmanaged<HTTPCore>.fromOpaque(core).takeUnretainedValue()
  server.heads.expect(on: exchange.socket)
}

private let follow: MHD_NotifyConnectionCallback = { core, connection, _, code in
  guard let core, let connection else { return }
  let heads = Unmanaged<HTTPCore>.fromOpaque(core).takeUnretainedValue().heads
  let socket = fanfare_http_socket(connection)
  fanfare_http_begins(code) ? heads.expect(on: socket) : heads.forget(socket)
}
