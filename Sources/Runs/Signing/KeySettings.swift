internal import APNS
package import Credentials
internal import HTTP2
package import Reporting
package import Settings

/// Settings that name a signing key, which has not been read.
package struct KeySettings: Sendable {
  package let key: Setting<SecretLocation>
  private let settings: Settings

  /// Nil when they name no key.
  package init?(_ settings: Settings) {
    guard let key = settings.key else { return nil }
    (self.key, self.settings) = (key, settings)
  }

  /// Reads the key and its password. Nothing is signed yet.
  func open(_ context: Context) throws(Failure) -> OpenedCredentials {
    let secret = try CredentialSecret(key.value, for: "key", context)
    let keyID = try self.keyID(fileName: secret.name)
    let teamID = try self.teamID(context)
    let isVariable = if case .variable = key.value { true } else { false }
    let password = try CredentialPassword(
      .key, settings.password, isVariableMeant: isVariable, context)
    let opener = if let password { password.bytes } else { try typedPassword(secret, context) }
    let tokens = ProviderTokenSource(
      contents: secret.contents, password: opener, keyID: keyID, teamID: teamID,
      cache: settings.tokenCache.isOff ? nil : context.tokenCache
    ) { [clock = context.clock] in clock.epochSeconds }
    let isIdle = !SigningKey.isLocked(secret.contents)
    return OpenedCredentials(
      kind: .key(keyID, teamID, tokens), name: secret.name, origin: key.origin.text,
      stored: settings.stored(secret.name, password) { stored in
        stored.key = Setting(.file(secret.name), .storedRun)
        stored.keyID = Setting(keyID.text, .storedRun)
        stored.teamID = Setting(teamID.text, .storedRun)
      },
      warnings: secret.warnings + (try warnings(fileName: secret.name, keyID, teamID))
        + (password?.warnings(isIdle: isIdle, for: secret.name) ?? []))
  }

  /// Asks for the password of a locked key; nil for an unlocked one, or without a terminal.
  private func typedPassword(
    _ key: CredentialSecret, _ context: Context
  ) throws(Failure) -> SecretBytes? {
    guard context.passwordPrompt.isPossible, SigningKey.isLocked(key.contents) else { return nil }
    func open(_ password: SecretBytes) throws(SigningKeyError) -> SecretBytes {
      _ = try SigningKey(contents: key.contents, password: password)
      return password
    }
    return try attempt(
      try context.passwordPrompt.open(
        key.name, context.signals, refusal: .encrypted, isWrong: { $0 == .wrongPassword },
        with: open)
    ) { .key(name: key.name, $0) }
  }
}

// Identifiers.
extension KeySettings {
  /// The place of the key, and the IDs that are known without reading it.
  package var outline: (place: String, keyID: KeyID?, teamID: TeamID?) {
    let place = key.value.name
    return (place, try? keyID(fileName: place), try? teamID())
  }

  /// Identifies the key without reading it; it need not be on this machine.
  func identifiers(
    _ context: Context
  ) throws(Failure) -> (key: KeyID, team: TeamID, warnings: [CredentialWarning]) {
    let fileName = fileName(context)
    let (keyID, teamID) = (try keyID(fileName: fileName), try teamID(context))
    return (keyID, teamID, try warnings(fileName: fileName, keyID, teamID))
  }

  private func fileName(_ context: Context) -> String {
    guard case .variable(let name) = key.value,
      case .path(let path) = context.text(of: name).map(context.keyText)
    else { return key.value.name }
    return path
  }

  /// The problems with the IDs that can be found without the key.
  package var faults: [Failure] {
    let checks: [Result<Void, Failure>] = [
      Result { () throws(Failure) in try checkKeyID() },
      Result { () throws(Failure) in _ = try teamID() },
    ]
    return checks.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
  }

  private func checkKeyID() throws(Failure) {
    // A variable's contents are unknown here, and it has no file name to compare.
    guard case .file(let path) = key.value else { return }
    let keyID = try keyID(fileName: path)
    if let teamID = try? teamID() { _ = try warnings(fileName: path, keyID, teamID) }
  }

  /// The given key ID, or the one in the file's name.
  private func keyID(fileName: String) throws(Failure) -> KeyID {
    guard let text = settings.keyID?.value else {
      if let id = KeyID(fileName: fileName) { return id }
      throw .missingIdentifier(name: "key ID", option: name(of: .key), elsewhere: nil)
    }
    return try attempt(try KeyID(text)) { .badIdentifier(.key, setting: place(of: .key), $0) }
  }

  /// - Parameter context: gives access to variables; nil ignores them.
  private func teamID(_ context: Context? = nil) throws(Failure) -> TeamID {
    guard let text = settings.teamID?.value else {
      let variable = EnvironmentVariable.teamID
      // The variable may be set, but belong to another key.
      let isElsewhere = context?.value(variable) != nil && key.origin.setting != variable.rawValue
      throw .missingIdentifier(
        name: "team ID", option: name(of: .team), elsewhere: isElsewhere ? variable.rawValue : nil)
    }
    return try attempt(try TeamID(text)) { .badIdentifier(.team, setting: place(of: .team), $0) }
  }

  /// Compares the file's name with the IDs. Files are renamed, so a difference is only a warning.
  ///
  /// - Throws: `Failure` when the two IDs are swapped or equal.
  private func warnings(
    fileName: String, _ keyID: KeyID, _ teamID: TeamID
  ) throws(Failure) -> [CredentialWarning] {
    if keyID.text == teamID.text { throw .sameIdentifier(keyID.text) }
    guard let named = KeyID(fileName: fileName), named != keyID else { return [] }
    if named.text == teamID.text {
      throw .swappedIdentifiers(
        keyID: place(of: .key), teamID: place(of: .team), fileName: named)
    }
    return [.otherKeyID(keyID, fileName: named, setting: place(of: .key))]
  }

  /// The name of an ID in the place that names the key.
  private func name(of id: IdentifierKind) -> String {
    if key.origin.file != nil {
      let path = settings.credentialsOwner.map { "profiles.\($0.value).credentials" }
      return "\(path ?? "credentials").\(id.member)"
    }
    return key.origin.isOptionOrStored ? id.option : id.variable.rawValue
  }

  /// The option for an ID, which may go with a key of a lower layer; otherwise its name and file.
  private func place(of id: IdentifierKind) -> String {
    let origin = id == .key ? settings.keyID?.origin : settings.teamID?.origin
    if let origin, origin.isOption { return origin.text }
    return (key.origin.file.map { "\($0): " } ?? "") + name(of: id)
  }
}
