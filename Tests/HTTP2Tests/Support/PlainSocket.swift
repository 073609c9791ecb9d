import Foundation
import TestSupport

/// A TCP socket on loopback without TLS. No call waits longer than ten seconds.
struct PlainSocket {
  let descriptor: Int32

  /// Connects to a port.
  init?(port: UInt16) {
    descriptor = socket(AF_INET, streamSocket, 0)
    limitWaiting()
    guard onLoopback(port: port, { connect(descriptor, $0, $1) }) == 0 else {
      close()
      return nil
    }
  }

  /// Listens on a port that the system chooses.
  static func listening() -> PlainSocket? {
    let listener = PlainSocket(descriptor: socket(AF_INET, streamSocket, 0))
    listener.limitWaiting()
    let bound = onLoopback(port: 0) { bind(listener.descriptor, $0, $1) }
    return bound == 0 && listen(listener.descriptor, 8) == 0 ? listener : nil
  }

  /// Two that are connected, of which the first cannot be written to, because nobody reads.
  static func full() -> [PlainSocket]? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { return nil }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    for size in [4096, 1] {
      let bytes = [UInt8](repeating: 0, count: size)
      while send(ends[0], bytes, size, 0) > 0 {}
    }
    return ends.map(PlainSocket.init(descriptor:))
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  var port: UInt16 { boundPort(of: descriptor) }

  /// The next client; nil when none comes.
  func accepted() -> PlainSocket? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 10_000) > 0 else { return nil }
    let other = accept(descriptor, nil, nil)
    guard other >= 0 else { return nil }
    let socket = PlainSocket(descriptor: other)
    socket.limitWaiting()
    return socket
  }

  func close() { Foundation.close(descriptor) }

  /// What has arrived; nil at the end.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  func write(_ bytes: [UInt8]) -> Bool { send(descriptor, bytes, bytes.count, 0) == bytes.count }

  private func limitWaiting() {
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }
}
