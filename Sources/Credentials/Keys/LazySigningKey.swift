internal import PlainText
internal import Synchronization

/// A signing key that is parsed on first use. A cached token makes parsing unnecessary.
final class LazySigningKey: Sendable {
  private final class Parsed: Sendable {
    let key: SigningKey
    init(_ key: consuming SigningKey) { self.key = key }
  }

  private let contents: SecretBytes?
  private let password: SecretBytes?
  private let parsed: Mutex<Parsed?>

  /// Wraps a parsed key.
  init(_ key: consuming SigningKey) {
    contents = nil
    password = nil
    let parsed = Parsed(key)
    self.parsed = Mutex(parsed)
  }

  /// Keeps the contents, to be parsed later.
  init(contents: SecretBytes, password: SecretBytes?) {
    self.contents = contents
    self.password = password
    parsed = Mutex(nil)
  }

  /// Lends the key.
  ///
  /// - Throws: `SigningKeyError` if parsing fails or the body throws.
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

  /// The cache entry's name; nil for a key that was never in a file.
  ///
  /// The password is not part of it: with the name and the encrypted key, an attacker could try
  /// passwords without the hashing iterations of the encryption. For an encrypted key the name is
  /// made from its public half.
  ///
  /// - Throws: `SigningKeyError` if the key is encrypted and cannot be decrypted.
  func fingerprint(_ keyID: KeyID, _ teamID: TeamID) throws(SigningKeyError) -> String? {
    guard let contents else { return nil }
    let isUnlocked = password != nil && SigningKey.isLocked(contents)
    let key = isUnlocked ? try publicHalf() : contents
    let whole = SecretBytes(joining: [SecretBytes(keyID.text), SecretBytes(teamID.text), key])
    return hexadecimal(whole.withBytes { sha256($0) })
  }

  private func publicHalf() throws(SigningKeyError) -> SecretBytes {
    let der = try withKey { key throws(SigningKeyError) in try key.publicKeyDER() }
    return der.withUnsafeBytes { SecretBytes(copying: $0) }
  }
}

extension SecretBytes {
  /// Prefixes each part with its length, so different lists of parts never give the same bytes.
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
