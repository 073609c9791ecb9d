internal import Synchronization

/// A signing key that is parsed when it is first needed: with a token from the cache it never is.
final class LazySigningKey: Sendable {
  private final class Parsed: Sendable {
    let key: SigningKey
    init(_ key: consuming SigningKey) { self.key = key }
  }

  private let contents: SecretBytes?
  private let password: SecretBytes?
  private let parsed: Mutex<Parsed?>

  /// A key that is there.
  init(_ key: consuming SigningKey) {
    contents = nil
    password = nil
    let parsed = Parsed(key)
    self.parsed = Mutex(parsed)
  }

  /// A key that is to be parsed.
  init(contents: SecretBytes, password: SecretBytes?) {
    self.contents = contents
    self.password = password
    parsed = Mutex(nil)
  }

  /// Lends the key.
  ///
  /// - Throws: `SigningKeyError` when it cannot be parsed, or when the body throws.
  func withKey<Result>(
    _ body: (borrowing SigningKey) throws(SigningKeyError) -> Result
  ) throws(SigningKeyError) -> Result {
    let parsed = try parsedKey()
    return try body(parsed.key)
  }

  private func parsedKey() throws(SigningKeyError) -> Parsed {
    try parsed.withLock { parsed throws(SigningKeyError) in
      if let parsed { return parsed }
      guard let contents else { throw .empty }
      let fresh = Parsed(try SigningKey(contents: contents, password: password))
      parsed = fresh
      return fresh
    }
  }

  /// What the name of a cached token is made of; nil for a key that was never in a file.
  func fingerprint(_ keyID: KeyID, _ teamID: TeamID) -> String? {
    guard let contents else { return nil }
    let parts = [SecretBytes(keyID.text), SecretBytes(teamID.text), contents, password]
    let whole = SecretBytes(joining: parts.compactMap(\.self))
    return whole.withBytes(digest)
  }
}

extension SecretBytes {
  /// Every part behind its length, so that no two lists of parts give the same bytes.
  fileprivate convenience init(joining parts: [SecretBytes]) {
    self.init(capacity: parts.reduce(0) { $0 + $1.count + 8 }) { buffer in
      var end = 0
      for part in parts {
        buffer.storeBytes(of: UInt64(part.count), toByteOffset: end, as: UInt64.self)
        part.withBytes {
          UnsafeMutableRawBufferPointer(rebasing: buffer[(end + 8)...]).copyMemory(from: $0)
        }
        end += 8 + part.count
      }
      return end
    }
  }
}
