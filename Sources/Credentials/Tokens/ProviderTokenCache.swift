internal import POSIX

/// Provider tokens on disk, so that commands run one after the other share one for as long as Apple
/// wants it used: a new one for every command is answered with `TooManyProviderTokenUpdates`.
///
/// Files (0600) in a folder (0700), one for each key, key ID and team. What belongs to
/// another user, or can be read by one, is not trusted. Processes that ask at once wait for each
/// other, and one makes the token. Whatever fails here costs a signature and nothing else.
public struct ProviderTokenCache: Sendable {
  private let folder: String
  private let patience: Int

  /// - Parameters:
  ///   - folder: an absolute path. It is made when it is missing, and its parents with it.
  ///   - patience: for how many milliseconds another process is waited for.
  public init(folder: String, patienceMilliseconds patience: Int = 2000) {
    self.folder = folder
    self.patience = patience
  }

  /// The token of an entry that is good, or a new one, which is kept if that is possible.
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
    // Another process may have made one in the meantime.
    if let token = kept() { return token }
    let token = try make()
    folder.replace(name, with: token.keptForm)
    return token
  }
}
