internal import POSIX

/// Wakes a thread that waits in `poll`, from any other thread.
public final class Wake: Sendable {
  let descriptor: Int32
  private let writeEnd: Int32

  /// A wake; nil when the process has no descriptors left.
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

  /// Ends the wait of the thread that waits now, or the next wait.
  public func call() {
    var byte: UInt8 = 1
    // A full pipe is as good as a written byte.
    _ = write(writeEnd, &byte, 1)
  }

  /// Waits until the wake is called or the time is over, and takes the calls back.
  ///
  /// - Parameters:
  ///   - milliseconds: how long at most; nil waits without end.
  ///   - keepsCalls: whether calls are left for others who wait on this wake.
  public func wait(milliseconds: Int?, keepsCalls: Bool = false) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1)
    if !keepsCalls { clear() }
  }

  /// Takes back every call so far.
  public func clear() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}
