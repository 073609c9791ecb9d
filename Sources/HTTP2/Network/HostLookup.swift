internal import POSIX

/// The system's resolver, queried the way libcurl does.
public enum HostLookup {
  /// The reason a host has no address.
  public struct Failure: Error, Sendable, Hashable {
    /// The system's `EAI_…` code.
    public var code: Int32

    /// The system's message for the code.
    public var message: String { String(cString: gai_strerror(code)) }
  }

  /// Resolves all addresses of a host, in the order to try them (RFC 6724).
  ///
  /// Blocks for as long as the resolver is configured to wait, which can be tens of seconds.
  ///
  /// - Parameter host: a name, or a numeric address without brackets.
  /// - Returns: at least one address, without duplicates.
  /// - Throws: `Failure`.
  public static func addresses(of host: String) throws(Failure) -> [HostAddress] {
    try addresses(of: host, numeric: false)
  }

  static func addresses(of host: String, numeric: Bool) throws(Failure) -> [HostAddress] {
    var hints = addrinfo()
    hints.ai_socktype = streamSocket
    hints.ai_flags = numeric ? AI_NUMERICHOST : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0, let list else { throw Failure(code: code) }
    defer { freeaddrinfo(list) }
    let found = sequence(first: list) { $0.pointee.ai_next }.compactMap(address)
    guard !found.isEmpty else { throw Failure(code: EAI_NONAME) }
    return found.enumerated().filter { !found[..<$0].contains($1) }.map(\.element)
  }

  private static func address(_ entry: UnsafeMutablePointer<addrinfo>) -> HostAddress? {
    let family = AddressFamily.allCases.first { $0.number == entry.pointee.ai_family }
    guard let family else { return nil }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = getnameinfo(
      entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
      NI_NUMERICHOST)
    guard code == 0 else { return nil }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return HostAddress(text: String(decoding: bytes, as: UTF8.self), family: family)
  }
}

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
