internal import APNS
internal import CommandLineKit
internal import Credentials

/// What a new project needs to know.
struct ProjectAnswers {
  /// Where pushes go.
  var environment = EnvironmentName.emulator
  /// The app.
  var bundleID = "com.example.app"
  /// The path of the signing key, as it was given; nil for none yet.
  var key: String?
  var keyID: KeyID?
  var teamID: TeamID?
}

/// A question whose answer is part of ``ProjectAnswers``, in the order in which they are asked.
enum ProjectQuestion: CaseIterable {
  case environment
  case bundleID
  case key
  case keyID
  case teamID

  /// What is asked for.
  var name: String {
    switch self {
    case .environment: "environment"
    case .bundleID: "bundle ID"
    case .key: "key file"
    case .keyID: "key ID"
    case .teamID: "team ID"
    }
  }

  /// What helps to answer it.
  var hint: String {
    switch self {
    case .environment:
      "Where to send pushes: emulator needs no Apple account; sandbox is for development builds, "
        + "production for TestFlight and the App Store."
    case .bundleID: "The app's bundle ID, as Xcode shows it under Signing & Capabilities."
    case .key:
      "The signing key, AuthKey_….p8 from the developer portal. Only its path is stored."
    case .keyID: "The key ID: ten uppercase letters and digits, shown with the key in the portal."
    case .teamID: "The team ID: ten uppercase letters and digits, under Membership in the portal."
    }
  }

  /// The default answer; nil for none.
  func proposal(after answers: ProjectAnswers, _ command: InitCommand) -> String? {
    switch self {
    case .environment: (command.key == nil ? EnvironmentName.emulator : .sandbox).rawValue
    case .bundleID: answers.bundleID
    case .key: ""
    case .keyID: answers.key.flatMap { KeyID(fileName: $0) }?.text
    case .teamID: nil
    }
  }

  /// Whether to ask: the emulator needs no key, and IDs go with a key.
  func isSensible(after answers: ProjectAnswers, _ command: InitCommand) -> Bool {
    switch self {
    case .environment, .bundleID: true
    case .key: answers.environment != .emulator || command.key != nil
    case .keyID, .teamID: answers.key != nil || option(of: command) != nil
    }
  }

  /// What the command line says.
  func option(of command: InitCommand) -> String? {
    switch self {
    case .environment: command.environment?.rawValue
    case .bundleID: command.bundleID
    case .key: command.key
    case .keyID: command.keyID
    case .teamID: command.teamID
    }
  }
}

// Taking answers.
extension ProjectQuestion {
  /// Takes an answer; an empty one means the default.
  ///
  /// - Throws: `Failure` that says what is wrong with it.
  func take(
    _ answer: String, into answers: inout ProjectAnswers, _ command: InitCommand
  ) throws(Failure) {
    guard let text = answer.isEmpty ? proposal(after: answers, command) : answer else {
      throw .missingIdentifier(name: name, option: "--\(optionName)", elsewhere: nil)
    }
    switch self {
    case .environment: answers.environment = try environment(text)
    case .bundleID: answers.bundleID = try bundleID(text)
    case .key: answers.key = try key(text)
    case .keyID, .teamID: try takeID(text, into: &answers)
    }
  }

  private var optionName: String {
    switch self {
    case .environment: "env"
    case .bundleID: "bundle-id"
    case .key: "key"
    case .keyID: "key-id"
    case .teamID: "team-id"
    }
  }

  private func environment(_ text: String) throws(Failure) -> EnvironmentName {
    if let name = EnvironmentName(rawValue: text) { return name }
    let names = EnvironmentName.choices.joined(separator: ", ")
    throw .badSetting(name: name, text: text, expected: names)
  }

  private func bundleID(_ text: String) throws(Failure) -> String {
    if let id = try? BundleID(text) { return id.text }
    throw .badSetting(name: name, text: text, expected: "a bundle ID, such as com.example.app")
  }

  /// The contents are not checked here, but when the key is used.
  private func key(_ text: String) throws(Failure) -> String? {
    if text.isEmpty || fileExists(text) { return text.isEmpty ? nil : text }
    throw .secretFile(path: text, purpose: "key", .missing)
  }

  private func takeID(_ text: String, into answers: inout ProjectAnswers) throws(Failure) {
    if answers.key == nil {
      throw .missingIdentifier(name: "key", option: "--key", elsewhere: "--\(optionName)")
    }
    do throws(IdentifierError) {
      if self == .keyID {
        answers.keyID = try KeyID(text)
      } else {
        answers.teamID = try TeamID(text)
      }
    } catch {
      throw .badIdentifier(self == .keyID ? .key : .team, setting: "--\(optionName)", error)
    }
    if let key = answers.keyID, let team = answers.teamID, key.text == team.text {
      throw .sameIdentifier(team.text)
    }
  }
}
