internal import POSIX

/// A plain TCP connection, opened and closed again to check if an address answers.
public enum TCPProbe {
  /// The reason there was no connection.
  public enum Failure: Error, Sendable, Hashable {
    /// No answer arrived in time.
    case timedOut
    /// The system's `errno`: refused, no route, no descriptors left.
    case system(Int32)
  }

  /// Connects to an address, without a proxy.
  ///
  /// - Parameters:
  ///   - address: the address to connect to.
  ///   - port: the TCP port.
  ///   - milliseconds: the maximum time to wait.
  /// - Returns: the time it took, in milliseconds.
  /// - Throws: `Failure`.
  public static func connect(
    _ address: HostAddress, port: UInt16, milliseconds: Int
  ) throws(Failure) -> Int {
    let clock = ContinuousClock()
    let start = clock.now
    let socket = POSIX.socket(address.family.number, streamSocket, 0)
    guard socket >= 0 else { throw .system(errno) }
    defer { close(socket) }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    try begin(socket, address, port)
    try finish(socket, by: start + .milliseconds(max(0, milliseconds)), clock)
    return Int((clock.now - start) / .milliseconds(1))
  }

  private static func begin(
    _ socket: Int32, _ address: HostAddress, _ port: UInt16
  ) throws(Failure) {
    let code = address.withSocketAddress(port: port) {
      POSIX.connect(socket, $0, $1) == 0 ? 0 : errno
    }
    guard let code else { throw .system(EAFNOSUPPORT) }
    guard code == 0 || code == EINPROGRESS || code == EINTR else { throw .system(code) }
  }

  /// Waits until a socket is connected.
  static func finish(
    _ socket: Int32, by end: ContinuousClock.Instant, _ clock: ContinuousClock
  ) throws(Failure) {
    var waiting = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    var count: Int32
    repeat {
      let left = max(0, (end - clock.now) / .milliseconds(1))
      count = poll(&waiting, 1, Int32(clamping: Int(left.rounded(.up))))
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .system(errno) }
    guard count > 0 else { throw .timedOut }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { throw .system(errno) }
    if code == ETIMEDOUT { throw .timedOut }
    guard code == 0 else { throw .system(code) }
  }
}

/// A GET over HTTP/1.1 without TLS, for servers on this machine.
public enum PlainRequest {
  private static let limit = 64 * 1024

  /// Sends a request and waits for the whole answer.
  ///
  /// - Parameters:
  ///   - path: the path with its query.
  ///   - headers: lines such as `authorization: bearer x`, in addition to the host.
  ///   - milliseconds: the time limit for each step.
  /// - Returns: the body of an answer with status 200; nil for any other status, no answer, or more
  ///   than 64 KiB.
  public static func get(
    _ path: String, at address: HostAddress, port: UInt16, headers: [String], milliseconds: Int
  ) -> [UInt8]? {
    let socket = POSIX.socket(address.family.number, streamSocket, 0)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var patience = timeval()
    (patience.tv_sec, patience.tv_usec) = (
      milliseconds / 1000, .init(milliseconds % 1000 * 1000)
    )
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    BrokenPipe.block()
    let host = address.family == .v6 ? "[\(address.text)]" : address.text
    let lines = ["GET \(path) HTTP/1.1", "host: \(host):\(port)", "connection: close"] + headers
    let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    guard address.withSocketAddress(port: port, { connect(socket, $0, $1) }) == 0,
      send(socket, request, request.count, 0) == request.count,
      let answer = readAll(socket)
    else { return nil }
    return body(of: answer)
  }

  private static func readAll(_ socket: Int32) -> [UInt8]? {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while bytes.count <= limit {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
    return nil
  }

  private static func body(of answer: [UInt8]) -> [UInt8]? {
    guard answer.starts(with: "HTTP/1.1 200 ".utf8),
      let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
    else { return nil }
    return Array(answer[end.upperBound...])
  }
}
