/// The signal SIGPIPE, which would kill the process if a peer closes the connection during a write:
/// OpenSSL writes without MSG_NOSIGNAL.
public enum BrokenPipe {
  /// Blocks the signal on this thread. What the rest of the process does with it stays as it is.
  public static func block() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}
