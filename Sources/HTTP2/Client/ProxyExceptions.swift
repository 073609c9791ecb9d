internal import POSIX

/// The hosts in a `NO_PROXY` value, by curl's rules: `*` alone matches every host; otherwise a
/// list, separated by commas or spaces, of names (including their subdomains), addresses, and since
/// curl 7.86 networks such as `10.0.0.0/8`.
struct ProxyExceptions {
  private let text: String

  init(_ text: String) { self.text = text }

  /// - Parameter host: a name, or an address without brackets.
  func contains(_ host: String) -> Bool {
    if text == "*" { return true }
    let entries = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    if let address = AddressBytes(host) { return entries.contains { address.isIn($0) } }
    let name = withoutDot(host[...])
    return entries.contains { isName(name, in: $0) }
  }

  private func isName(_ name: Substring, in entry: Substring) -> Bool {
    let domain = withoutDot(entry.hasPrefix(".") ? entry.dropFirst() : entry).lowercased()
    let name = name.lowercased()
    return !domain.isEmpty && (name == domain || name.hasSuffix("." + domain))
  }

  private func withoutDot(_ name: Substring) -> Substring {
    name.hasSuffix(".") ? name.dropLast() : name
  }
}

/// A numeric address in network byte order.
private struct AddressBytes {
  private let bytes: [UInt8]

  init?(_ text: some StringProtocol) {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, String(text), &bytes) == 1 {
        self.bytes = bytes
        return
      }
    }
    return nil
  }

  /// True if this is the entry's address or lies in the entry's network.
  func isIn(_ entry: Substring) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let network = AddressBytes(first),
      network.bytes.count == bytes.count
    else { return false }
    guard parts.count == 2 else { return network.bytes == bytes }
    guard let bits = Int(parts[1]), 0...bytes.count * 8 ~= bits else { return false }
    // curl takes a prefix length of 0 to mean all bits.
    return agrees(with: network, bits: bits == 0 ? bytes.count * 8 : bits)
  }

  private func agrees(with network: AddressBytes, bits: Int) -> Bool {
    let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
    guard bytes.prefix(whole) == network.bytes.prefix(whole) else { return false }
    return rest == 0 || (bytes[whole] ^ network.bytes[whole]) >> (8 - rest) == 0
  }
}
