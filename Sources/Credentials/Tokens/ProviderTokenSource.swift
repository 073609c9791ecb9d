internal import Synchronization

/// Provides the current provider token and replaces it in time.
///
/// Apple wants a token used for at least 20 and at most 60 minutes ("Establishing a token-based
/// connection to APNs"). The source is thread-safe, and concurrent requests create only one token.
/// With a cache the same is true across processes.
public final class ProviderTokenSource: Sendable {
  /// The age at which a token is replaced, in seconds.
  public static let replacementAge: Int64 = 50 * 60

  /// The age below which a token is never replaced, in seconds.
  public static let minimumAge: Int64 = 20 * 60

  private let key: LazySigningKey
  private let keyID: KeyID
  private let teamID: TeamID
  private let cache: ProviderTokenCache?
  private let now: @Sendable () -> Int64
  private let current = Mutex<ProviderToken?>(nil)

  /// Creates a source for a key that exists only in this process. Its tokens are never cached.
  ///
  /// - Parameter now: the time in seconds since 1970 UTC.
  public convenience init(
    key: consuming SigningKey, keyID: KeyID, teamID: TeamID, now: @escaping @Sendable () -> Int64
  ) {
    self.init(LazySigningKey(key), keyID, teamID, nil, now)
  }

  /// Creates a source for a key that is parsed when a token has to be signed.
  ///
  /// - Parameters:
  ///   - contents: the contents of the key's file.
  ///   - password: the password of an encrypted key.
  ///   - cache: the cache shared with other processes; nil for none.
  ///   - now: the time in seconds since 1970 UTC.
  public convenience init(
    contents: SecretBytes, password: SecretBytes? = nil, keyID: KeyID, teamID: TeamID,
    cache: ProviderTokenCache?, now: @escaping @Sendable () -> Int64
  ) {
    self.init(LazySigningKey(contents: contents, password: password), keyID, teamID, cache, now)
  }

  private init(
    _ key: LazySigningKey, _ keyID: KeyID, _ teamID: TeamID, _ cache: ProviderTokenCache?,
    _ now: @escaping @Sendable () -> Int64
  ) {
    self.key = key
    self.keyID = keyID
    self.teamID = teamID
    self.cache = cache
    self.now = now
  }

  /// The public half of the key as SubjectPublicKeyInfo in DER.
  ///
  /// - Throws: `SigningKeyError` if the key cannot be parsed.
  public func publicKeyDER() throws(SigningKeyError) -> [UInt8] {
    try key.withKey { key throws(SigningKeyError) in try key.publicKeyDER() }
  }

  /// The time the token in use was issued, in seconds since 1970 UTC; nil before the first.
  public var issuedAt: Int64? { current.withLock { $0?.issuedAt } }

  /// The current token.
  ///
  /// - Throws: `SigningKeyError` if a new one is due and cannot be signed.
  public func token() throws(SigningKeyError) -> ProviderToken {
    try replacing { token, age in age >= Self.replacementAge || age < -60 }
  }

  /// The token to use after APNs called this one expired.
  ///
  /// A new one is created unless another thread or process has already replaced the expired one. A
  /// token younger than 20 minutes is kept: APNs would refuse a new one too, because the clock is
  /// wrong.
  public func token(after expired: ProviderToken) throws(SigningKeyError) -> ProviderToken {
    try replacing { token, age in token == expired && Self.isReplaceable(age: age) }
  }

  /// Returns true if another token is available or would be created after APNs called this one
  /// expired. If false, resending is pointless.
  public func replaces(_ expired: ProviderToken) -> Bool {
    current.withLock { current in
      current != expired || Self.isReplaceable(age: now() - expired.issuedAt)
    }
  }

  /// A token called expired may be replaced once old enough, or if it was issued in the future.
  private static func isReplaceable(age: Int64) -> Bool { age >= minimumAge || age < 0 }

  private func replacing(
    when isDue: (_ token: ProviderToken, _ age: Int64) -> Bool
  ) throws(SigningKeyError) -> ProviderToken {
    try current.withLock { current throws(SigningKeyError) in
      let now = now()
      if let token = current, !isDue(token, now - token.issuedAt) { return token }
      let fresh = try cached(now) { !isDue($0, now - $0.issuedAt) }
      current = fresh
      return fresh
    }
  }

  /// A token from the cache, or a newly signed one.
  private func cached(
    _ now: Int64, _ isWanted: (ProviderToken) -> Bool
  ) throws(SigningKeyError) -> ProviderToken {
    guard let cache, let name = try key.fingerprint(keyID, teamID) else { return try signed(now) }
    // A time in the future may be long past by another clock, so such a token is not used.
    let age = { (token: ProviderToken) in now - token.issuedAt }
    return try cache.token(
      name, keyID: keyID, teamID: teamID,
      isGood: { 0..<Self.replacementAge ~= age($0) && isWanted($0) },
      make: { () throws(SigningKeyError) in try signed(now) })
  }

  private func signed(_ now: Int64) throws(SigningKeyError) -> ProviderToken {
    try key.withKey { key throws(SigningKeyError) in
      try ProviderToken(key: key, keyID: keyID, teamID: teamID, issuedAt: now)
    }
  }
}
