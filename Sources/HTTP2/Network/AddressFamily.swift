internal import POSIX

/// The two kinds of addresses of the internet.
public enum AddressFamily: Sendable, Hashable, CaseIterable {
  /// IPv4.
  case v4
  /// IPv6.
  case v6

  /// The system's number.
  var number: Int32 { self == .v4 ? AF_INET : AF_INET6 }
}
