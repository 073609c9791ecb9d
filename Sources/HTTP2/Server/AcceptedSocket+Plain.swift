internal import POSIX

// A connection without TLS. Its calls wait.
extension AcceptedSocket {
  /// Waits for bytes, and takes them.
  ///
  /// - Parameter wake: ends the waiting.
  /// - Returns: how many there are; 0 when the peer has sent its last one or is gone, and when woken.
  public func receive(into buffer: UnsafeMutableRawBufferPointer, wake: Wake) -> Int {
    while true {
      let ready = waitForSocket(forRoom: false, wake: wake, milliseconds: nil)
      guard ready.contains(.readable), !ready.contains(.woken) else { return 0 }
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count >= 0 { return count }
      guard errno == EAGAIN || errno == EINTR else { return 0 }
    }
  }

  /// Sends all bytes; waits for room.
  ///
  /// - Parameter wake: ends the waiting.
  /// - Returns: false when the peer is gone, or when woken.
  public func send(_ bytes: [UInt8], wake: Wake) -> Bool {
    _ = BrokenPipe.ignored
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { POSIX.send(descriptor, $0.baseAddress, $0.count, 0) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard waitForRoom(wake) else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Waits for room alone: a peer that sends and does not read must not keep this awake.
  private func waitForRoom(_ wake: Wake) -> Bool {
    var waiting = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    var count: Int32
    repeat { count = poll(&waiting, 2, -1) } while count < 0 && errno == EINTR
    return count > 0 && waiting[1].revents == 0
  }
}
