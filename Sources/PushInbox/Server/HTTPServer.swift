internal import CMicroHTTPD
internal import HTTP2
internal import POSIX
internal import Synchronization

/// How much a server bears.
struct HTTPLimits: Sendable {
  /// How many connections may be open; further ones wait to be taken.
  var connections = 128
  /// How long a connection may be silent before its first request.
  var firstSeconds = 5
  /// How long a connection may be silent afterwards, while something is owed to or by its client.
  var idleSeconds = 30
  /// What a connection may need for the head of a request and for its answer, in bytes.
  var connectionMemory = 32 * 1024
}

/// A server of HTTP/1.1 with one thread. It listens from `init` to `stop()`.
final class HTTPServer: Sendable {
  /// Why a server did not start.
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

  /// Ends every connection and returns when the threads have ended. A second call does nothing.
  func stop() {
    // libmicrohttpd must not be stopped while a connection is suspended.
    core.sleeping.end()
    _ = daemon.withLock { $0.take() }
  }
}

/// The one owner of libmicrohttpd's daemon. It may be started and stopped on any thread.
private struct HTTPDaemon: ~Copyable, @unchecked Sendable {
  private let daemon: OpaquePointer
  private let core: HTTPCore

  /// - Parameter socket: a listening socket, which belongs to the daemon from here on.
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

/// What libmicrohttpd's callbacks work on.
private final class HTTPCore: Sendable {
  let service: any HTTPService
  let sleeping: SleepingStreams
  private let idleSeconds: UInt32

  init(_ service: any HTTPService, _ sleeping: SleepingStreams, idleSeconds: UInt32) {
    (self.service, self.sleeping, self.idleSeconds) = (service, sleeping, idleSeconds)
  }

  /// Begins a request: its head is known.
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
    // libmicrohttpd 0.9.75 writes the end of a stream even where HEAD wants none.
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
  // A body of unknown length that becomes too long: only closing the connection ends it.
  return fanfare_http_result(exchange.take(bytes) ? 1 : 0)
}

private let complete: MHD_RequestCompletedCallback = { _, _, slot, _ in
  guard let slot, let exchange = slot.pointee else { return }
  Unmanaged<HTTPExchange>.fromOpaque(exchange).release()
  slot.pointee = nil
}
