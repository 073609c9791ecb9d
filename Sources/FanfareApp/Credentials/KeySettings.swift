internal import APNS
internal import Credentials
internal import HTTP2
internal import Projects

/// What settings say about a signing key. Nothing was read.
struct KeySettings: Sendable {
  let key: Setting<SecretPlace>
  let keyID: Setting<String>?
  let teamID: Setting<String>?
  let password: Setting<SecretPlace>?
  /// The profile in which it is written; nil when it is not.
  let owner: String?
  let sharesTokens: Bool

  /// Nil when they name no key.
  init?(_ settings: Settings) {
    guard let key = settings.key else { return nil }
    self.key = key
    (keyID, teamID) = (settings.keyID, settings.teamID)
    (password, owner) = (settings.password, settings.credentialsOwner?.value)
    sharesTokens = !settings.tokenCache.isOff
  }

  /// Reads the key, and what opens it. There is a provider token when this returns.
  func open(_ context: Context) throws(Failure) -> OpenedCredentials {
    let secret = try CredentialSecret(key.value, for: "key", context)
    let keyID = try resolvedKeyID(fileName: secret.name)
    let teamID = try resolvedTeamID(context)
    let password = try CredentialPassword(.key, self.password, isVariableMeant: isVariable, context)
    let opener = if let password { password.bytes } else { try ask(for: secret, context) }
    let tokens = ProviderTokenSource(
      contents: secret.contents, password: opener, keyID: keyID, teamID: teamID,
      cache: sharesTokens ? context.tokenCache : nil
    ) { [clock = context.clock] in clock.epochSeconds }
    let isIdle = !SigningKey.isLocked(secret.contents)
    let credentials = OpenedCredentials(
      kind: .key(keyID, teamID, tokens), name: secret.name, origin: key.origin.text,
      stored: stored(secret.name, keyID, teamID, password?.file),
      warnings: secret.warnings + (try warnings(fileName: secret.name, keyID, teamID))
        + (password?.warnings(isIdle: isIdle, for: secret.name) ?? []))
    // A key that cannot sign is told of before anything is sent.
    _ = try credentials.providerToken()
    return credentials
  }

  /// Of a secret only the place is kept: its file, or else the profile that knows it.
  private func stored(
    _ file: String, _ keyID: KeyID, _ teamID: TeamID, _ passwordFile: String?
  ) -> Settings {
    var stored = Settings()
    if fileExists(file) {
      stored.key = Setting(.file(file), .storedRun)
      stored.keyID = Setting(keyID.text, .storedRun)
      stored.teamID = Setting(teamID.text, .storedRun)
      stored.password = passwordFile.map { Setting(.file($0), .storedRun) }
    } else {
      stored.credentialsProfile = owner.map { Setting($0, .storedRun) }
    }
    return stored
  }

  /// What opens a locked key, where somebody sits at a terminal; nil where nobody does.
  private func ask(
    for key: CredentialSecret, _ context: Context
  ) throws(Failure) -> SecretBytes? {
    guard context.passwordPrompt.isPossible, SigningKey.isLocked(key.contents) else { return nil }
    do throws(SigningKeyError) {
      return try context.passwordPrompt.open(
        key.name, context.signals, refusal: .encrypted, isWrong: { $0 == .wrongPassword }
      ) { (password) throws(SigningKeyError) in
        _ = try SigningKey(contents: key.contents, password: password)
        return password
      }
    } catch {
      throw .key(name: key.name, error)
    }
  }

  /// Whether a variable holds the key, or its path.
  private var isVariable: Bool { if case .variable = key.value { true } else { false } }
}

// The IDs.
extension KeySettings {
  /// Where the key is, and the IDs as far as they can be told without it.
  var outline: (place: String, keyID: KeyID?, teamID: TeamID?) {
    let place = key.value.name
    return (place, try? resolvedKeyID(fileName: place), try? resolvedTeamID())
  }

  /// What is wrong with the IDs, as far as that can be told without the key.
  var faults: [Failure] {
    var found: [Failure] = []
    do throws(Failure) {
      // What an environment variable will hold, and be called, is not known.
      if case .file(let path) = key.value {
        let keyID = try resolvedKeyID(fileName: path)
        if let teamID = try? resolvedTeamID() {
          _ = try warnings(fileName: path, keyID, teamID)
        }
      }
    } catch {
      found.append(error)
    }
    do throws(Failure) {
      _ = try resolvedTeamID()
    } catch {
      found.append(error)
    }
    return found
  }

  /// The key ID that is given, or that of the file's name.
  private func resolvedKeyID(fileName: String) throws(Failure) -> KeyID {
    guard let keyID else {
      if let id = KeyID(fileName: fileName) { return id }
      throw .missingIdentifier(name: "key ID", option: name(of: .keyID), elsewhere: nil)
    }
    do throws(IdentifierError) {
      return try KeyID(keyID.value)
    } catch {
      throw .badIdentifier(name: "key ID", setting: place(of: .keyID), error)
    }
  }

  /// - Parameter context: tells what variables hold; nil looks at none.
  private func resolvedTeamID(_ context: Context? = nil) throws(Failure) -> TeamID {
    guard let teamID else {
      let variable = EnvironmentVariable.teamID
      // A variable that is set, and goes with another key.
      let isElsewhere = context?.value(variable) != nil && key.origin.setting != variable.rawValue
      throw .missingIdentifier(
        name: "team ID", option: name(of: .teamID),
        elsewhere: isElsewhere ? variable.rawValue : nil)
    }
    do throws(IdentifierError) {
      return try TeamID(teamID.value)
    } catch {
      throw .badIdentifier(name: "team ID", setting: place(of: .teamID), error)
    }
  }

  /// What the file's name says against the IDs: files are renamed, so it is a warning.
  ///
  /// - Throws: `Failure` when the two IDs are each other's, or the same.
  private func warnings(
    fileName: String, _ keyID: KeyID, _ teamID: TeamID
  ) throws(Failure) -> [CredentialWarning] {
    if keyID.text == teamID.text { throw .sameIdentifier(keyID.text) }
    guard let named = KeyID(fileName: fileName), named != keyID else { return [] }
    if named.text == teamID.text {
      throw .swappedIdentifiers(
        keyID: place(of: .keyID), teamID: place(of: .teamID), fileName: named)
    }
    return [.otherKeyID(keyID, fileName: named, setting: place(of: .keyID))]
  }

  private enum Identifier: String {
    case keyID, teamID

    var option: String { self == .keyID ? "--key-id" : "--team-id" }
    var variable: EnvironmentVariable { self == .keyID ? .keyID : .teamID }
  }

  /// What an ID is called where the key was named.
  private func name(of id: Identifier) -> String {
    if key.origin.file != nil {
      let path = owner.map { "profiles.\($0).credentials" } ?? "credentials"
      return "\(path).\(id.rawValue)"
    }
    return key.origin.isOptionOrStored ? id.option : id.variable.rawValue
  }

  /// The same with the file that it stands in.
  private func place(of id: Identifier) -> String {
    (key.origin.file.map { "\($0): " } ?? "") + name(of: id)
  }
}
