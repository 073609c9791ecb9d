internal import POSIX

/// A cache of provider tokens on disk, so that successive commands share one for as long as Apple
/// wants it used. APNs answers a new token per command with `TooManyProviderTokenUpdates`.
///
/// The files (0600) are in one folder (0700), one per key, key ID and team. Files that other users
/// own or can read are ignored. If several processes ask at once, one creates the token and the
/// others wait. A failure of the cache costs one extra signature and nothing else.
public struct ProviderTokenCache: Sendable {
  private let folder: String
  private let patience: Int

  /// - Parameters:
  ///   - folder: an absolute path. The folder and its parents are created if missing.
  ///   - patience: the maximum wait for another process, in milliseconds.
  public init(folder: String, patienceMilliseconds patience: Int = 2000) {
    self.folder = folder
    self.patience = patience
  }

  /// Returns the cached token if it is still good, else a new one, which is cached if possible.
  func token(
    _ name: String, keyID: KeyID, teamID: TeamID, isGood: (ProviderToken) -> Bool,
    make: () throws(SigningKeyError) -> ProviderToken
  ) throws(SigningKeyError) -> ProviderToken {
    guard let folder = PrivateFolder(folder) else { return try make() }
    func kept() -> ProviderToken? {
      let token = folder.read(name, limit: 4096).flatMap {
        ProviderToken(kept: $0, keyID: keyID, teamID: teamID)
      }
      return token.flatMap { isGood($0) ? $0 : nil }
    }
    if let token = kept() { return token }
    guard let lock = folder.lock("lock", patience: patience) else { return try make() }
    defer { withExtendedLifetime(lock) {} }
    // Another process may have created one in the meantime.
    if let token = kept() { return token }
    let token = try make()
    folder.replace(name, with: token.keptForm)
    return token
  }
}
