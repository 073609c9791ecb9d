internal import APNS
internal import Credentials
internal import Opening
package import PushEmulator
internal import Reporting
internal import Settings

/// A signing key whose provider tokens an emulator accepts.
package struct TrustedKeyFile: Sendable, Equatable {
  /// The `.p8` file; without it the other members must not be given either.
  package var path: String?
  package var keyID: String?
  package var teamID: String?
  /// Nil for both.
  package var environment: EmulatorEnvironment?

  package init() {}

  /// - Throws: `Failure` if the key cannot be used.
  func read(_ context: Context) throws(Failure) -> TrustedKey? {
    guard let path else {
      try refuseStrayOptions()
      return nil
    }
    var options = Settings()
    options.key = Setting(.file(path), .setting("--key"))
    options.keyID = keyID.map { Setting($0, .setting("--key-id")) }
    options.teamID = teamID.map { Setting($0, .setting("--team-id")) }
    options.tokenCache = Setting(false, .builtIn)
    let credentials = try OpenedCredentials.key(options, context)
    context.teller.note(credentials.warnings.parts)
    guard case .key(let keyID, let teamID, let tokens) = credentials.kind else { return nil }
    do {
      return try TrustedKey(
        keyID: keyID.text, teamID: teamID.text, publicKey: try tokens.publicKeyDER(),
        environments: environment.map { [$0] } ?? Set(EmulatorEnvironment.allCases))
    } catch {
      throw .key(name: path, error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }

  private func refuseStrayOptions() throws(Failure) {
    let given = [
      ("--key-id", keyID != nil), ("--team-id", teamID != nil), ("--trust-env", environment != nil),
    ]
    if let (option, _) = given.first(where: \.1) {
      throw .missingCredentials("key", option: "--trust", neededBy: option)
    }
  }
}
