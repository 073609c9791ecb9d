internal import CCurl
internal import POSIX

/// An open TLS connection to an HTTP/2 server. It never blocks, except in `wait`.
///
/// A connection belongs to the thread that uses it.
public struct TLSConnection: ~Copyable {
  private let curl: CurlHandle
  private let socket: Int32
  private let wentThroughProxy: Bool

  init(curl: consuming CurlHandle, wentThroughProxy: Bool) {
    socket = curl.socket
    self.curl = curl
    self.wentThroughProxy = wentThroughProxy
  }

  /// Facts about the connection, collected anew on each access.
  public var facts: TLSConnectionFacts {
    TLSConnectionFacts(curl, wentThroughProxy: wentThroughProxy)
  }

  /// Sends bytes.
  ///
  /// - Returns: the number of bytes accepted; 0 if there is no room at present.
  public func send(_ bytes: UnsafeRawBufferPointer) throws(ChannelFailure) -> Int {
    var sent = 0
    let code = curl_easy_send(curl.pointer, bytes.baseAddress, bytes.count, &sent)
    switch code {
    case CURLE_OK: return sent
    case CURLE_AGAIN: return 0
    default: throw failure(code)
    }
  }

  /// Receives bytes that have arrived.
  ///
  /// - Returns: the number of bytes written to the buffer; 0 if none are available. Read until 0
  ///   before waiting: TLS may buffer bytes that `wait` cannot see.
  public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ChannelFailure) -> Int {
    var received = 0
    let code = curl_easy_recv(curl.pointer, buffer.baseAddress, buffer.count, &received)
    switch code {
    case CURLE_OK where received > 0: return received
    case CURLE_OK: throw .closed
    case CURLE_AGAIN: return 0
    default: throw failure(code)
    }
  }

  /// Waits until bytes arrive, there is room to send (if requested), the wake is signaled, or the
  /// time is up.
  ///
  /// - Parameters:
  ///   - forRoom: true if room to send ends the wait.
  ///   - wake: the signal with which another thread ends the wait.
  ///   - milliseconds: the maximum time to wait; nil for no limit.
  /// - Returns: the events that ended the wait; empty on time-out.
  public func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) -> ChannelReadiness {
    pollSocket(socket, forRoom: forRoom, wake: wake, milliseconds: milliseconds)
  }

  private func failure(_ code: CURLcode) -> ChannelFailure {
    if let alert = curl.tls.identityAlert { return .identityRefused(alert) }
    return .broken(curl.message.isEmpty ? String(cString: curl_easy_strerror(code)) : curl.message)
  }
}

extension TLSConnection: ByteChannel {}

/// Facts about an open connection.
public struct TLSConnectionFacts: Sendable, Hashable {
  /// The address of the server, or of the proxy if there is one.
  public var remoteAddress: String

  /// The port at that address.
  public var remotePort: UInt16

  /// True if the connection goes through a proxy.
  public var wentThroughProxy: Bool

  /// The TLS version: `TLSv1.2` or `TLSv1.3`.
  public var tlsVersion: String

  /// The cipher suite, for example `TLS_AES_256_GCM_SHA384`.
  public var cipher: String

  /// The verified chain: the server's certificate first, the trusted root last.
  public var chain: [PeerCertificate]

  /// True if the server requested a client certificate.
  public var asksForIdentity: Bool
}

extension TLSConnectionFacts {
  init(_ curl: borrowing CurlHandle, wentThroughProxy: Bool) {
    let handshake = curl.tls.handshake
    self.init(
      remoteAddress: curl.text(CURLINFO_PRIMARY_IP) ?? "",
      remotePort: UInt16(clamping: curl.number(CURLINFO_PRIMARY_PORT)),
      wentThroughProxy: wentThroughProxy, tlsVersion: handshake.version, cipher: handshake.cipher,
      chain: handshake.chain?.parsed ?? [], asksForIdentity: handshake.asksForIdentity)
  }
}
