internal import COpenSSL
internal import POSIX

/// An accepted connection on which nothing has been exchanged yet.
public struct AcceptedSocket: ~Copyable, Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var yes: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Performs the TLS handshake.
  ///
  /// - Parameters:
  ///   - tls: the server's TLS configuration.
  ///   - wake: ends the wait.
  ///   - milliseconds: the time limit for each of the client's messages.
  ///   - report: called if the client speaks something that the server does not.
  /// - Returns: the open connection; nil if the client disconnects, does not speak TLS, shares no
  ///   protocol or is too slow.
  public consuming func handshake(
    _ tls: ServerTLS, wake: Wake, milliseconds: Int = 10_000,
    report: (ForeignClient) -> Void = { _ in }
  ) -> ServerTLSConnection? {
    guard let ssl = SSL_new(tls.context) else { return nil }
    guard SSL_set_fd(ssl, descriptor) == 1 else {
      SSL_free(ssl)
      return nil
    }
    while true {
      ERR_clear_error()
      let result = SSL_accept(ssl)
      if result == 1 { return ServerTLSConnection(socket: self, ssl: ssl, tls: tls) }
      let error = SSL_get_error(ssl, result)
      guard wait(error, wake, milliseconds) else {
        if let client = ForeignClient(reason: ERR_GET_REASON(ERR_peek_error())) { report(client) }
        ERR_clear_error()
        SSL_free(ssl)
        if error == SSL_ERROR_SSL { letAlertArrive(wake) }
        return nil
      }
    }
  }

  private func wait(_ error: Int32, _ wake: Wake, _ milliseconds: Int) -> Bool {
    guard error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE else { return false }
    let ready = waitForSocket(
      forRoom: error == SSL_ERROR_WANT_WRITE, wake: wake, milliseconds: milliseconds)
    return !ready.isEmpty && !ready.contains(.woken)
  }

  /// Reads what still arrives, for a limited time, until the client closes. Closing a socket with
  /// unread bytes resets it, which can destroy the alert with the reason the handshake failed.
  private func letAlertArrive(_ wake: Wake) {
    endSending()
    var buffer = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<64 {
      let ready = waitForSocket(forRoom: false, wake: wake, milliseconds: 1000)
      guard ready == .readable, recv(descriptor, &buffer, buffer.count, 0) > 0 else { return }
    }
  }

  func waitForSocket(forRoom: Bool, wake: Wake, milliseconds: Int?) -> ChannelReadiness {
    pollSocket(descriptor, forRoom: forRoom, wake: wake, milliseconds: milliseconds)
  }

  /// Sends FIN and keeps the other direction open.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes closing the socket send RST instead of FIN.
  public func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }
}

/// A client that speaks something that the server does not.
public enum ForeignClient: Sendable {
  /// It offers protocols without the server's, such as HTTP/1.1 alone (RFC 7301).
  case otherProtocol
  /// It speaks HTTP without TLS.
  case plainHTTP

  /// Reads OpenSSL's reason for a failed handshake; nil for any other.
  fileprivate init?(reason: Int32) {
    switch reason {
    case SSL_R_NO_APPLICATION_PROTOCOL: self = .otherProtocol
    case SSL_R_HTTP_REQUEST: self = .plainHTTP
    default: return nil
    }
  }
}

/// The server side of an open TLS connection. It never blocks, except in `wait`.
public struct ServerTLSConnection: ~Copyable {
  private let socket: AcceptedSocket
  private let ssl: OpaquePointer
  private let tls: ServerTLS

  init(socket: consuming AcceptedSocket, ssl: OpaquePointer, tls: ServerTLS) {
    self.socket = socket
    self.ssl = ssl
    self.tls = tls
  }

  deinit { SSL_free(ssl) }

  /// Waits until bytes arrive, there is room to send (if requested), the wake is signaled, or the
  /// time is up. Nil waits without limit.
  public func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) -> ChannelReadiness {
    if SSL_pending(ssl) > 0 { return .readable }
    return socket.waitForSocket(forRoom: forRoom, wake: wake, milliseconds: milliseconds)
  }

  /// Sends TLS's close_notify alert. The TCP connection stays open until this value is destroyed.
  public func sayGoodbye() {
    SSL_shutdown(ssl)
    ERR_clear_error()
  }

  /// The client's certificate, in DER; nil if it presented none. It is not verified.
  public var clientCertificate: [UInt8]? {
    guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
    defer { X509_free(certificate) }
    return der(certificate)
  }

  /// The issuers sent with the client's certificate, in DER and in the client's order; empty if it
  /// sent none. They are not verified.
  public var clientIssuers: [[UInt8]] {
    let sent = SSL_get_peer_cert_chain(ssl)
    return (0..<fanfare_x509_stack_count(sent)).compactMap {
      fanfare_x509_stack_get(sent, $0).flatMap(der)
    }
  }

  /// Sends FIN: the peer reads everything sent so far, then the end. Receiving remains possible.
  public func endSending() { socket.endSending() }

  /// Makes this connection end with a TCP reset.
  public func resetOnClose() { socket.resetOnClose() }

  /// Clears old errors, because OpenSSL judges a call by the thread's error queue and `errno`.
  private func forgetOldErrors() {
    ERR_clear_error()
    errno = 0
  }

  private func outcome(_ result: Int32) throws(ChannelFailure) -> Int {
    let code = errno
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return 0
    case SSL_ERROR_ZERO_RETURN: throw .closed
    case SSL_ERROR_SYSCALL where code == 0: throw .closed
    default:
      let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) }
      ERR_clear_error()
      throw .broken(reason ?? String(cString: strerror(code)))
    }
  }
}

extension ServerTLSConnection: ByteChannel {
  /// Sends bytes; returns 0 if there is no room at present.
  public func send(_ bytes: UnsafeRawBufferPointer) throws(ChannelFailure) -> Int {
    forgetOldErrors()
    let result = SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
    return result > 0 ? Int(result) : try outcome(result)
  }

  /// Receives bytes that have arrived; returns 0 if none are available.
  public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ChannelFailure) -> Int {
    forgetOldErrors()
    let result = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
    return result > 0 ? Int(result) : try outcome(result)
  }
}

private func der(_ certificate: OpaquePointer) -> [UInt8]? {
  var encoded: UnsafeMutablePointer<UInt8>?
  let count = i2d_X509(certificate, &encoded)
  guard count > 0, let encoded else { return nil }
  defer { fanfare_free(encoded) }
  return Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
}
