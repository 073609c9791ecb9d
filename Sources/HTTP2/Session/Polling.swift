internal import POSIX

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

/// The signal SIGPIPE, which would kill the process if a peer closes the connection during a write:
/// OpenSSL writes without MSG_NOSIGNAL.
enum BrokenPipe {
  /// Ignores the signal, once per process.
  static let ignored: Void = { signal(SIGPIPE, SIG_IGN) }()
}
