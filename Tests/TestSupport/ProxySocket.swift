internal import Foundation

/// The one owner of a socket on this machine. Its waits end when the stop signal comes, and after
/// two minutes.
final class ProxySocket: Sendable {
  private static let milliseconds: Int32 = 120_000

  let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Listens on a port that the system chooses.
  static func listening() throws -> ProxySocket {
    signal(SIGPIPE, SIG_IGN)
    let socket = ProxySocket(Foundation.socket(AF_INET, streamSocket, 0))
    guard onLoopback(port: 0, { bind(socket.descriptor, $0, $1) }) == 0,
      listen(socket.descriptor, 64) == 0
    else { throw POSIXError(.EADDRNOTAVAIL) }
    return socket
  }

  /// Connects to a port; nil when nobody listens there.
  static func connected(to port: UInt16, until stop: Int32) -> ProxySocket? {
    let socket = ProxySocket(Foundation.socket(AF_INET, streamSocket, 0))
    let result = onLoopback(port: port) { connect(socket.descriptor, $0, $1) }
    if result == 0 { return socket }
    guard errno == EINPROGRESS, wait(for: [(socket, POLLOUT)], until: stop) == [true] else {
      return nil
    }
    var (code, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
    getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code == 0 ? socket : nil
  }

  /// Connects to a socket in a folder; nil when nobody listens there.
  static func connected(toFile path: String) -> ProxySocket? {
    let socket = ProxySocket(Foundation.socket(AF_UNIX, streamSocket, 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: path.utf8.prefix($0.count - 1))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket.descriptor, $0, size)
      }
    }
    return result == 0 ? socket : nil
  }

  var port: UInt16 { boundPort(of: descriptor) }

  /// The next client; nil once the stop signal has come. A listener waits as long as it takes.
  func accept(until stop: Int32) -> ProxySocket? {
    while true {
      guard let ready = Self.wait(for: [(self, POLLIN)], until: stop, milliseconds: -1) else {
        return nil
      }
      let client = ready == [true] ? Foundation.accept(descriptor, nil, nil) : -1
      if client >= 0 { return ProxySocket(client) }
    }
  }

  /// What arrives next; nil at the end, when the stop signal comes, and when nothing arrives.
  func read(until stop: Int32) -> [UInt8]? {
    guard Self.wait(for: [(self, POLLIN)], until: stop) == [true] else { return nil }
    return readNow()
  }

  /// What has arrived; nil at the end.
  func readNow() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Sends all bytes; false when they cannot be sent.
  @discardableResult
  func write(_ bytes: [UInt8], until stop: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EAGAIN || Self.wait(for: [(self, POLLOUT)], until: stop) != [true] {
        return false
      }
    }
    return true
  }

  /// Waits for sockets.
  ///
  /// - Returns: which of them are ready; nil when the stop signal came, or it took too long.
  static func wait(
    for sockets: [(ProxySocket, Int32)], until stop: Int32, milliseconds: Int32 = milliseconds
  ) -> [Bool]? {
    var waiting = sockets.map {
      pollfd(fd: $0.0.descriptor, events: Int16($0.1), revents: 0)
    }
    waiting.append(pollfd(fd: stop, events: Int16(POLLIN), revents: 0))
    guard poll(&waiting, nfds_t(waiting.count), milliseconds) > 0, waiting.last?.revents == 0 else {
      return nil
    }
    return waiting.dropLast().map { $0.revents != 0 }
  }
}
