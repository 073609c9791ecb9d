/// What this build needs of the machine it runs on, in the order in which it is tested.
public enum PlatformStep: String, Sendable, Hashable, CaseIterable {
  /// The libcurl in use, and its TLS library.
  case libcurl
  /// The OpenSSL in use, and whether it is the one of libcurl.
  case openSSL
  /// The nghttp2 in use.
  case nghttp2
  /// The SQLite in use.
  case sqlite
  /// The authorities that the system trusts.
  case roots
  /// The clock that goes on while the machine sleeps, and the date.
  case clocks
  /// Random numbers.
  case randomness
  /// The stack of a thread, by the deepest JSON.
  case stack
  /// How many files and sockets may be open.
  case descriptors
  /// Whether temporary files can be made.
  case temporaryFolder
  /// A push to a server in this process.
  case push
  /// Whether bad certificates are refused.
  case certificates
  /// Whether HTTP proxies are asked for tunnels.
  case proxy
  /// Whether a history can be written and read.
  case history

  /// Its place in the order, from 1.
  public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// The steps without which it proves nothing. Two copies of OpenSSL in one process can even crash
  /// it, and so can a small stack.
  public var needs: [PlatformStep] {
    switch self {
    case .push: [.libcurl, .openSSL, .nghttp2, .stack, .descriptors, .temporaryFolder]
    case .certificates, .proxy: [.push]
    case .history: [.sqlite, .temporaryFolder]
    default: []
    }
  }
}
