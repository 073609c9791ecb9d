internal import POSIX

/// SIGPIPE, which would end the process when a peer closes while bytes are on their way to it:
/// OpenSSL writes without MSG_NOSIGNAL.
enum BrokenPipe {
  /// Ignores the signal, once for the process.
  static let ignored: Void = { signal(SIGPIPE, SIG_IGN) }()
}
