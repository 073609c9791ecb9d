internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import Projects
internal import PushEmulator
internal import Synchronization

/// What the sendings of one command share: servers, credentials, connections, and the signal that
/// ends them all.
struct CommonMeans: Sendable {
  /// Where they send.
  let places: CommonPlaces
  /// Who signs.
  let credentials = CommonCredentials()
  /// Connections that go on from one run to the next, of the same credentials to the same server.
  let links = LinkPools()
  /// What ends them.
  let stops: StopGroup
  /// What `--payload` names, which may be a pipe; nil when it is not given.
  let payload: [UInt8]?
  /// Whether one may say how far it is; several at once would talk into each other.
  let tellsProgress: Bool
  /// Whether each says which push type and topic it inferred.
  let tellsInference: Bool
}

/// Servers that several sendings connect to. An emulator in this process serves all of them, unless
/// a script makes it count: then each scenario has its own.
final class CommonPlaces: Sendable {
  private struct Key: Hashable {
    let environment: PushEnvironment
    let roots: String?
    let proxy: ProxySetting?
    let emulatesProduction: Bool
    /// The scenario that has an emulator of its own; nil where one serves all.
    let owner: String?
  }

  private let script: FaultScript?
  private let scripts = Mutex<[String: FaultScript]>([:])
  private let places = Mutex<[Key: ServerPlace]>([:])

  /// - Parameter path: a script of what every emulator does, whatever a scenario says; nil leaves it
  ///   to them.
  /// - Throws: `Failure` when it cannot be read, or something is wrong with it.
  init(script path: String?) throws(Failure) {
    script = if let path { try readScript(path) } else { nil }
  }

  /// What an emulator does for a scenario; nil for nothing out of the ordinary.
  ///
  /// - Throws: `Failure` when it cannot be read, or something is wrong with it.
  func script(for scenario: Scenario?) throws(Failure) -> FaultScript? {
    if let script { return script }
    guard let path = scenario?.script else { return nil }
    if let script = scripts.withLock({ $0[path] }) { return script }
    let script = try readScript(path)
    scripts.withLock { $0[path] = script }
    return script
  }

  /// A server, ready to be connected to.
  func place(
    of server: ServerChoice, for scenario: Scenario?, _ context: Context
  ) throws(Failure) -> ServerPlace {
    let script = server.environment == .emulator ? try script(for: scenario) : nil
    let key = Key(
      environment: server.environment, roots: server.roots, proxy: server.proxy,
      emulatesProduction: server.emulatesProduction, owner: script.flatMap { _ in scenario?.file })
    if let place = places.withLock({ $0[key] }) { return place }
    var configuration = EmulatorConfiguration()
    script?.apply(to: &configuration)
    let place = try ServerPlace(server, context, emulator: configuration)
    return places.withLock { places in
      let first = places[key] ?? place
      places[key] = first
      return first
    }
  }
}

/// Credentials that several sendings sign in with: a key is read once, and its provider token serves
/// all who name it.
final class CommonCredentials: Sendable {
  /// What names credentials: two scenarios with the same take them from the same place.
  struct Setting: Hashable {
    /// What the scenario says; nil when it says nothing.
    let setting: CredentialsSetting?
    /// The profile that counts; nil when none does.
    let profile: String?
    /// Whether what is not on this machine is made up.
    let isEmulator: Bool
  }

  private struct SigningKey: Hashable {
    let keyID: KeyID
    let teamID: TeamID
    let publicKey: [UInt8]
  }

  private struct Choices {
    var signers: [Setting: Signer] = [:]
    var bySetting: [Setting: CredentialChoice] = [:]
    var byKey: [SigningKey: CredentialChoice] = [:]
  }

  private let choices = Mutex(Choices())

  /// Who was found to sign before for the same setting, else who `find` finds. A certificate is
  /// opened once.
  func signer(
    for setting: Setting, find: () throws(Failure) -> Signer
  ) throws(Failure) -> Signer {
    if let signer = choices.withLock({ $0.signers[setting] }) { return signer }
    let signer = try find()
    choices.withLock { $0.signers[setting] = signer }
    return signer
  }

  /// What was opened before for the same setting or holds the same key, else what `open` gives.
  func choice(
    for setting: Setting, open: () throws(Failure) -> CredentialChoice
  ) throws(Failure) -> CredentialChoice {
    if let choice = choices.withLock({ $0.bySetting[setting] }) { return choice }
    let opened = try open()
    let key = Self.signingKey(of: opened)
    return choices.withLock { choices in
      let choice = key.flatMap { choices.byKey[$0] } ?? opened
      if let key { choices.byKey[key] = choice }
      choices.bySetting[setting] = choice
      return choice
    }
  }

  /// What a key is known by, whatever its file is called; nil for a certificate.
  private static func signingKey(of choice: CredentialChoice) -> SigningKey? {
    guard case .key(let choice) = choice, let publicKey = try? choice.tokens.publicKeyDER() else {
      return nil
    }
    return SigningKey(keyID: choice.keyID, teamID: choice.teamID, publicKey: publicKey)
  }
}
