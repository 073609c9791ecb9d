internal import POSIX

/// A TCP socket that accepts connections, on a loopback address by default.
public final class Listener: Sendable {
  /// The reason listening failed: the system call and its `errno`.
  public struct Failure: Error, Sendable, Hashable {
    /// The system call.
    public var call: String
    /// Its `errno`.
    public var code: Int32
  }

  /// The port chosen by the system or requested.
  public let port: UInt16

  private let socket: Int32

  /// Listens on 127.0.0.1, or on ::1.
  ///
  /// - Parameters:
  ///   - port: the port; 0 lets the system choose a free one.
  ///   - family: the loopback address to use.
  /// - Throws: `Failure`, which names the system call.
  public convenience init(port: UInt16 = 0, family: AddressFamily = .v4) throws(Failure) {
    let loopback = family == .v4 ? "127.0.0.1" : "::1"
    try self.init(port: port, address: HostAddress(text: loopback, family: family))
  }

  /// Listens on an address of this machine.
  ///
  /// - Throws: `Failure`, which names the system call.
  public init(port: UInt16, address: HostAddress) throws(Failure) {
    let socket = POSIX.socket(address.family.number, streamSocket, 0)
    guard socket >= 0 else { throw Failure(call: "socket", code: errno) }
    self.socket = socket
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    do {
      self.port = try Self.bind(socket, port, address)
    } catch {
      // deinit does not run for a partially initialized listener.
      close(socket)
      throw error
    }
  }

  deinit { close(socket) }

  /// Duplicates the socket's descriptor for the caller to own; nil if the process has none left.
  package func duplicate() -> Int32? {
    let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  private static func bind(
    _ socket: Int32, _ port: UInt16, _ address: HostAddress
  ) throws(Failure) -> UInt16 {
    let code = address.withSocketAddress(port: port) {
      POSIX.bind(socket, $0, $1) == 0 ? 0 : errno
    }
    guard code == 0 else { throw Failure(call: "bind", code: code ?? EAFNOSUPPORT) }
    guard listen(socket, SOMAXCONN) == 0 else { throw Failure(call: "listen", code: errno) }
    // The port is at the same offset in both families' addresses.
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutableBytes(of: &address) {
      getsockname(socket, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard result == 0 else { throw Failure(call: "getsockname", code: errno) }
    return UInt16(bigEndian: address.sin6_port)
  }

  /// Waits for the next connection.
  ///
  /// - Parameter wake: ends the wait.
  /// - Returns: a connection before its handshake; nil when woken.
  /// - Throws: `Failure`, for example if the system is out of descriptors.
  public func accept(wake: Wake) throws(Failure) -> AcceptedSocket? {
    while true {
      var descriptors = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&descriptors, 2, -1)
      if descriptors[1].revents != 0 { return nil }
      guard descriptors[0].revents != 0 else { continue }
      let accepted = POSIX.accept(socket, nil, nil)
      if accepted >= 0 { return AcceptedSocket(descriptor: accepted) }
      guard [EAGAIN, EINTR, ECONNABORTED].contains(errno) else {
        throw Failure(call: "accept", code: errno)
      }
    }
  }
}
