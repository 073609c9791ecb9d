internal import POSIX

/// Wakes a thread that waits in `poll`, from any other thread.
public final class Wake: Sendable {
  /// Becomes readable with a call, for a thread that waits for other descriptors as well.
  package let descriptor: Int32
  private let writeEnd: Int32

  /// Creates a wake; nil if the process is out of descriptors.
  public init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (descriptor, writeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Ends the current wait, or the next one.
  public func call() {
    var byte: UInt8 = 1
    // If the pipe is full, the thread will wake anyway.
    _ = write(writeEnd, &byte, 1)
  }

  /// Waits until the wake is signaled or the time is up, and clears the signals.
  ///
  /// - Parameters:
  ///   - milliseconds: the maximum time to wait; nil for no limit.
  ///   - keepsCalls: true to leave the signals for other threads that wait on this wake.
  public func wait(milliseconds: Int?, keepsCalls: Bool = false) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1)
    if !keepsCalls { clear() }
  }

  /// Clears all signals so far.
  public func clear() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}

/// Waits for a socket or a wake, whichever comes first. Nil waits without limit.
func pollSocket(
  _ socket: Int32, forRoom: Bool, wake: Wake, milliseconds: Int?
) -> ChannelReadiness {
  let interest = Int16(POLLIN) | (forRoom ? Int16(POLLOUT) : 0)
  var descriptors = (
    pollfd(fd: socket, events: interest, revents: 0),
    pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
  )
  let limit = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
  var count: Int32
  // Signals do not end the wait; their handlers signal the wake.
  repeat {
    count = withUnsafeMutableBytes(of: &descriptors) { raw in
      poll(raw.baseAddress?.assumingMemoryBound(to: pollfd.self), 2, limit)
    }
  } while count < 0 && errno == EINTR
  guard count > 0 else { return [] }
  var ready: ChannelReadiness = []
  let events = descriptors.0.revents
  if events & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 { ready.insert(.readable) }
  if events & Int16(POLLOUT) != 0 { ready.insert(.writable) }
  if descriptors.1.revents != 0 { ready.insert(.woken) }
  return ready
}
