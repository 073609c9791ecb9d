internal import POSIX

/// A numeric host address.
public struct HostAddress: Sendable, Hashable {
  /// The usual text form: `17.188.143.33`, `2620:149:208:430e::4`, `fe80::1%en0`.
  public let text: String

  /// The address family.
  public let family: AddressFamily

  /// Parses a numeric address; nil if the text is not one.
  public init?(_ text: String) {
    guard let found = try? HostLookup.addresses(of: text, numeric: true).first else { return nil }
    self = found
  }

  init(text: String, family: AddressFamily) {
    self.text = text
    self.family = family
  }

  /// Calls `body` with the socket address for a port; nil if the system cannot create one.
  func withSocketAddress<Result>(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_family = family.number
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(text, String(port), &hints, &list) == 0, let list else { return nil }
    defer { freeaddrinfo(list) }
    return list.pointee.ai_addr.map { body($0, list.pointee.ai_addrlen) }
  }
}

/// The address families of the internet.
public enum AddressFamily: Sendable, Hashable, CaseIterable {
  /// IPv4.
  case v4
  /// IPv6.
  case v6

  /// The system's constant.
  var number: Int32 { self == .v4 ? AF_INET : AF_INET6 }
}

#if canImport(Glibc)
/// `SOCK_STREAM`, which is an enumerator in glibc and a number elsewhere.
let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
/// `SOCK_STREAM`, which is an enumerator in glibc and a number elsewhere.
let streamSocket = SOCK_STREAM
#endif
