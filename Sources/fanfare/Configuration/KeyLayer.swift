internal import Credentials
internal import HTTP2
internal import Projects

/// One layer's word on a signing key, not looked at yet.
struct KeyLayer {
  let place: SecretPlace
  private let keyID: (text: String, setting: String)?
  private let teamID: (text: String, setting: String)?
  private let password: SecretPlace?
  private var keyIDOption = "--key-id"
  private var teamIDOption = "--team-id"
  /// The option, scenario, variable or profile that names it.
  let origin: String
  /// The file that it is written in; nil when it is in none.
  private(set) var source: CredentialSource?
  /// Whether a variable holds a team id that this layer does not see.
  var hasIDsElsewhere = false

  init?(_ options: CredentialOptions) throws(Failure) {
    guard let key = options.key else {
      for (name, value) in [("--key-id", options.keyID), ("--team-id", options.teamID)]
      where value != nil {
        throw .missingIdentifier(name: "key", option: "--key", elsewhere: name)
      }
      return nil
    }
    place = .file(key)
    keyID = options.keyID.map { ($0, "--key-id") }
    teamID = options.teamID.map { ($0, "--team-id") }
    (password, origin) = (nil, "--key")
  }

  init(_ credentials: KeySetting, in source: CredentialSource) {
    place = credentials.key
    keyID = credentials.keyID.map { ($0, "\(source.file): \(source.path).keyID") }
    teamID = credentials.teamID.map { ($0, "\(source.file): \(source.path).teamID") }
    (password, origin) = (credentials.password, source.origin)
    self.source = source
    keyIDOption = "\(source.path).keyID"
    teamIDOption = "\(source.path).teamID"
  }

  init?(_ context: Context) {
    guard context.value(.key) != nil else { return nil }
    place = .variable(EnvironmentVariable.key.rawValue)
    keyID = context.value(.keyID).map { ($0, EnvironmentVariable.keyID.rawValue) }
    teamID = context.value(.teamID).map { ($0, EnvironmentVariable.teamID.rawValue) }
    (password, origin) = (nil, EnvironmentVariable.key.rawValue)
    keyIDOption = EnvironmentVariable.keyID.rawValue
    teamIDOption = EnvironmentVariable.teamID.rawValue
  }

  /// Reads the key, and what opens it. There is a provider token when this returns.
  func open(_ options: CredentialOptions, _ context: Context) throws(Failure) -> KeyChoice {
    let key = try CredentialSecret(place, for: "key", context)
    let keyID = try resolvedKeyID(fileName: key.name)
    let teamID = try resolvedTeamID()
    let password = try CredentialPassword(
      .key, option: options.keyPasswordFile, else: password, isVariableMeant: isVariable, context)
    let opener = if let password { password.bytes } else { try ask(for: key, context) }
    let choice = KeyChoice(
      keyID: keyID, teamID: teamID, name: key.name, origin: origin,
      profile: source?.profile?.name, passwordFile: password?.file,
      tokens: ProviderTokenSource(
        contents: key.contents, password: opener, keyID: keyID, teamID: teamID,
        cache: options.tokenCache ? context.tokenCache : nil
      ) { [clock = context.clock] in clock.epochSeconds },
      warnings: key.warnings
        + (try warnings(fileName: key.name, keyID, teamID))
        + (password?.warnings(isIdle: !SigningKey.isLocked(key.contents), for: key.name) ?? []))
    try choice.sign()
    return choice
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

  /// Where the key is, and the ids as far as they can be told without it.
  var outline: (place: String, keyID: KeyID?, teamID: TeamID?) {
    (place.name, try? resolvedKeyID(fileName: place.name), try? resolvedTeamID())
  }

  /// What it says, part by part.
  var parts: [CredentialPart] {
    func part(_ name: String, _ value: CredentialPart.Value, _ setting: String) -> CredentialPart {
      CredentialPart(name: name, value: value, origin: source?.place(of: name) ?? setting)
    }
    var parts = [part("key", .place(place), origin)]
    if let keyID {
      parts.append(part("keyID", .text(keyID.text), keyID.setting))
    } else if let id = KeyID(fileName: place.name) {
      parts.append(CredentialPart(name: "keyID", value: .text(id.text), origin: "the file's name"))
    }
    if let teamID { parts.append(part("teamID", .text(teamID.text), teamID.setting)) }
    if let password { parts.append(part("passwordFile", .place(password), origin)) }
    return parts
  }

  /// Whether a variable holds the key, or its path.
  private var isVariable: Bool { if case .variable = place { true } else { false } }

  /// What is wrong with the ids, as far as that can be told without the key.
  var faults: [Failure] {
    var found: [Failure] = []
    do throws(Failure) {
      // What an environment variable will hold, and be called, is not known.
      if case .file(let path) = place {
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

  /// The key id of this layer, or of the file's name.
  private func resolvedKeyID(fileName: String) throws(Failure) -> KeyID {
    guard let keyID else {
      if let id = KeyID(fileName: fileName) { return id }
      throw .missingIdentifier(name: "key id", option: keyIDOption, elsewhere: nil)
    }
    do throws(IdentifierError) {
      return try KeyID(keyID.text)
    } catch {
      throw .badIdentifier(name: "key id", setting: keyID.setting, error)
    }
  }

  /// The team id of this layer.
  private func resolvedTeamID() throws(Failure) -> TeamID {
    guard let teamID else {
      let elsewhere = hasIDsElsewhere ? EnvironmentVariable.teamID.rawValue : nil
      throw .missingIdentifier(name: "team id", option: teamIDOption, elsewhere: elsewhere)
    }
    do throws(IdentifierError) {
      return try TeamID(teamID.text)
    } catch {
      throw .badIdentifier(name: "team id", setting: teamID.setting, error)
    }
  }

  /// What the file's name says against the ids: files are renamed, so it is a warning.
  ///
  /// - Throws: `Failure` when the two ids are each other's, or the same.
  private func warnings(
    fileName: String, _ keyID: KeyID, _ teamID: TeamID
  ) throws(Failure) -> [CredentialWarning] {
    if keyID.text == teamID.text { throw .sameIdentifier(keyID.text) }
    guard let named = KeyID(fileName: fileName), named != keyID else { return [] }
    if named.text == teamID.text {
      throw .swappedIdentifiers(
        keyID: self.keyID?.setting ?? keyIDOption, teamID: self.teamID?.setting ?? teamIDOption,
        fileName: named)
    }
    return [.otherKeyID(keyID, fileName: named, setting: self.keyID?.setting ?? keyIDOption)]
  }
}
