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

  private static func finish(
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
