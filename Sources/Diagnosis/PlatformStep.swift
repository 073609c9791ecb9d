/// A requirement of this build on the machine it runs on, in the order of testing.
public enum PlatformStep: String, Sendable, Hashable, CaseIterable {
  /// The libcurl in use and its TLS library.
  case libcurl
  /// The OpenSSL in use, and whether libcurl uses the same one.
  case openSSL
  /// The nghttp2 in use.
  case nghttp2
  /// The SQLite in use.
  case sqlite
  /// The certificate authorities the system trusts.
  case roots
  /// The clock that keeps running while the machine sleeps, and the date.
  case clocks
  /// Random numbers.
  case randomness
  /// A thread's stack size, tested with deeply nested JSON.
  case stack
  /// The limit on open files and sockets.
  case descriptors
  /// Creating temporary files.
  case temporaryFolder
  /// A push to a server in this process.
  case push
  /// Rejection of bad certificates.
  case certificates
  /// Tunnels through HTTP proxies.
  case proxy
  /// Writing and reading a history.
  case history

  /// The position in the order, starting at 1.
  public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// The steps this one depends on. Two copies of OpenSSL in one process, or a small stack, can
  /// even crash it.
  public var needs: [PlatformStep] {
    switch self {
    case .push: [.libcurl, .openSSL, .nghttp2, .stack, .descriptors, .temporaryFolder]
    case .certificates, .proxy: [.push]
    case .history: [.sqlite, .temporaryFolder]
    default: []
    }
  }
}
