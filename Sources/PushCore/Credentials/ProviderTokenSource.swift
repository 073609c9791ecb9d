internal import Synchronization

/// Hands out the current provider token and replaces it in time.
///
/// Apple wants one token used for at least 20 and at most 60 minutes ("Establishing a token-based
/// connection to APNs"). Any thread may ask; however many ask at once, one token is made.
public final class ProviderTokenSource: Sendable {
  /// The age at which a token is replaced, in seconds.
  public static let replacementAge: Int64 = 50 * 60

  /// The age below which a token is never replaced, in seconds.
  public static let minimumAge: Int64 = 20 * 60

  private let key: SigningKey
  private let keyID: KeyID
  private let teamID: TeamID
  private let now: @Sendable () -> Int64
  private let current = Mutex<ProviderToken?>(nil)

  /// - Parameter now: the time in seconds since 1970 UTC.
  public init(
    key: consuming SigningKey, keyID: KeyID, teamID: TeamID, now: @escaping @Sendable () -> Int64
  ) {
    self.key = key
    self.keyID = keyID
    self.teamID = teamID
    self.now = now
  }

  /// The public half of the key as SubjectPublicKeyInfo in DER.
  public func publicKeyDER() throws(SigningKeyError) -> [UInt8] { try key.publicKeyDER() }

  /// The token to use now.
  ///
  /// - Throws: `SigningKeyError` when a new one is due and cannot be signed.
  public func token() throws(SigningKeyError) -> ProviderToken {
    try replacing { token, age in age >= Self.replacementAge || age < -60 }
  }

  /// The token to use after APNs called this one expired.
  ///
  /// A new one is made unless another thread has already replaced the expired one. A token younger
  /// than 20 minutes is kept: a new one would be refused as well, and the clock is to blame.
  public func token(after expired: ProviderToken) throws(SigningKeyError) -> ProviderToken {
    try replacing { token, age in
      token == expired && (age >= Self.minimumAge || age < 0)
    }
  }

  private func replacing(
    when isDue: (_ token: ProviderToken, _ age: Int64) -> Bool
  ) throws(SigningKeyError) -> ProviderToken {
    try current.withLock { current throws(SigningKeyError) in
      let now = now()
      if let token = current, !isDue(token, now - token.issuedAt) { return token }
      let fresh = try ProviderToken(key: key, keyID: keyID, teamID: teamID, issuedAt: now)
      current = fresh
      return fresh
    }
  }
}
