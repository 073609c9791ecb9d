internal import CCurl
internal import POSIX

/// An open TLS connection to a server that speaks HTTP/2. It never blocks, except in `wait`.
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

  /// What is known of the connection. Put together anew each time.
  public var facts: TLSConnectionFacts {
    TLSConnectionFacts(curl, wentThroughProxy: wentThroughProxy)
  }

  /// Hands bytes to the connection.
  ///
  /// - Returns: how many were taken; 0 when the connection has no room now.
  public func send(_ bytes: UnsafeRawBufferPointer) throws(ChannelFailure) -> Int {
    var sent = 0
    let code = curl_easy_send(curl.pointer, bytes.baseAddress, bytes.count, &sent)
    switch code {
    case CURLE_OK: return sent
    case CURLE_AGAIN: return 0
    default: throw failure(code)
    }
  }

  /// Takes bytes that have arrived.
  ///
  /// - Returns: how many were written to the buffer; 0 when none are there now. Read until 0
  ///   before waiting: TLS may hold bytes that `wait` cannot see.
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

  /// Waits until bytes arrive, there is room to send (if asked), the wake is called, or the time
  /// is over.
  ///
  /// - Parameters:
  ///   - forRoom: whether room to send ends the wait.
  ///   - wake: what another thread calls to end it.
  ///   - milliseconds: how long at most; nil waits without end.
  /// - Returns: what ended the wait; nothing when the time was over.
  public func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) -> ChannelReadiness {
    pollSocket(socket, forRoom: forRoom, wake: wake, milliseconds: milliseconds)
  }

  private func failure(_ code: CURLcode) -> ChannelFailure {
    if let alert = curl.tls.identityAlert { return .identityRefused(alert) }
    return .broken(curl.message.isEmpty ? String(cString: curl_easy_strerror(code)) : curl.message)
  }
}

extension TLSConnection: ByteChannel {}
