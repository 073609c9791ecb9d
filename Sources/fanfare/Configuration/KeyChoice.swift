internal import Credentials
internal import HTTP2

/// A signing key that has proved to sign.
struct KeyChoice: Sendable {
  let keyID: KeyID
  let teamID: TeamID
  /// Where the key came from: a path or a variable.
  let name: String
  /// The option, scenario, variable or profile that names it; nil for a key that was made up.
  let origin: String?
  /// The profile that it is written in; nil when it is not.
  var profile: String?
  /// The file with its password; nil when there is none, or it is kept elsewhere.
  var passwordFile: String?
  /// What holds the key and hands out provider tokens.
  let tokens: ProviderTokenSource
  /// What a person should know about the key, although it can be used.
  var warnings: [CredentialWarning] = []

  /// A key that was made up, for the emulator. Its tokens are never cached.
  static func throwAway(_ context: Context) throws(Failure) -> KeyChoice {
    do {
      let (keyID, teamID) = (try KeyID("THROWAWAY0"), try TeamID("EMULATOR00"))
      let clock = context.clock
      return KeyChoice(
        keyID: keyID, teamID: teamID, name: "made up for this run", origin: nil,
        tokens: ProviderTokenSource(
          key: try SigningKey.generate(), keyID: keyID, teamID: teamID
        ) { clock.epochSeconds })
    } catch {
      throw .key(name: "throw-away key", error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }

  /// A key that cannot sign is told of before anything is sent.
  func sign() throws(Failure) {
    do throws(SigningKeyError) {
      _ = try tokens.token()
    } catch {
      throw .key(name: name, error)
    }
  }
}

extension Context {
  /// Where provider tokens are shared with other commands (XDG Base Directory Specification, which
  /// wants relative paths ignored); nil when there is no such place.
  var tokenCache: ProviderTokenCache? {
    let path = folder("XDG_CACHE_HOME", "/fanfare") ?? folder("HOME", "/.cache/fanfare")
    return path.map { ProviderTokenCache(folder: $0) }
  }
}
