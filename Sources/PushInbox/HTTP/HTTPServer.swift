internal import CMicroHTTPD
internal import HTTP2
internal import POSIX
internal import Synchronization

/// The resource limits of a server.
struct HTTPLimits: Sendable {
  /// The number of connections that may be open; more wait to be accepted.
  var connections = 128
  /// The seconds a connection may be silent before its first request.
  var firstSeconds = 5
  /// The seconds a connection may be silent later, in the middle of a request or response.
  var idleSeconds = 30
  /// The memory per connection for a request's head and its response, in bytes.
  var connectionMemory = 32 * 1024
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
    core = HTTPCore(
      service,
      SleepingStreams(wake: wake, ended: ended, subscribe: { service.callOnChange($0) }),
      idleSeconds: UInt32(clamping: limits.idleSeconds))
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
      first_seconds: UInt32(clamping: limits.firstSeconds),
      idle_seconds: UInt32(clamping: limits.idleSeconds),
      connection_memory: limits.connectionMemory, stack_size: Thread.usualStackSize)
    guard
      let daemon = fanfare_start_http(
        socket, limits, handle, complete, Unmanaged.passUnretained(core).toOpaque())
    else { return nil }
    (self.daemon, self.core) = (daemon, core)
  }

  deinit { MHD_stop_daemon(daemon) }
}

/// The context of libmicrohttpd's callbacks.
private final class HTTPCore: Sendable {
  let service: any HTTPService
  let sleeping: SleepingStreams
  private let idleSeconds: UInt32

  init(_ service: any HTTPService, _ sleeping: SleepingStreams, idleSeconds: UInt32) {
    (self.service, self.sleeping, self.idleSeconds) = (service, sleeping, idleSeconds)
  }

  /// Handles the head of a request.
  func begin(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
    fanfare_http_set_timeout(connection, idleSeconds)
    guard let refusal = service.refusal(of: exchange.request) else { return fanfare_http_result(1) }
    return send(refusal, exchange, connection)
  }

  /// Answers a whole request.
  func finish(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
    send(service.answer(exchange.request), exchange, connection)
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

private let handle: MHD_AccessHandlerCallback = {
  core, connection, path, method, _, upload, uploadSize, slot in
  guard let core, let connection, let path, let method, let uploadSize, let slot else {
    return fanfare_http_result(0)
  }
  let server = Unmanaged<HTTPCore>.fromOpaque(core).takeUnretainedValue()
  guard let known = slot.pointee else {
    let exchange = HTTPExchange(
      connection, String(cString: method), String(cString: path),
      bodyLimit: server.service.bodyLimit)
    slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return server.begin(exchange, connection)
  }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
  guard uploadSize.pointee > 0 else { return server.finish(exchange, connection) }
  let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
  uploadSize.pointee = 0
  // If a body of unknown length exceeds the limit, only closing the connection stops it.
  return fanfare_http_result(exchange.take(bytes) ? 1 : 0)
}

private let complete: MHD_RequestCompletedCallback = { _, _, slot, _ in
  guard let slot, let exchange = slot.pointee else { return }
  Unmanaged<HTTPExchange>.fromOpaque(exchange).release()
  slot.pointee = nil
}
