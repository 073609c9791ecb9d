internal import APNS
internal import Credentials
internal import Reporting
internal import Runs
internal import Settings

/// A question about a new project, in the order asked. The raw value is the option that answers it.
package enum ProjectQuestion: String, CaseIterable, Sendable {
  case environment = "env"
  case bundleID = "bundle-id"
  case certificate = "cert"
  case key
  case keyID = "key-id"
  case teamID = "team-id"

  /// The question and a hint for the answer.
  var words: (name: String, hint: String) {
    switch self {
    case .environment:
      (
        "environment",
        "Where to send pushes: emulator needs no Apple account; sandbox is for development builds, "
          + "production for TestFlight and the App Store."
      )
    case .bundleID:
      ("bundle ID", "The app's bundle ID, as Xcode shows it under Signing & Capabilities.")
    case .certificate: ("certificate file", "The certificate. Only its path is stored.")
    case .key:
      (
        "key file",
        "The signing key, AuthKey_….p8 from the developer portal. Only its path is stored."
      )
    case .keyID:
      (
        "key ID",
        "The key ID: ten uppercase letters and digits, shown with the key in the portal."
      )
    case .teamID:
      ("team ID", "The team ID: ten uppercase letters and digits, under Membership in the portal.")
    }
  }
}

/// The answers that a new project is made from.
struct ProjectAnswers {
  let given: [ProjectQuestion: String]
  /// The path of a signing key that lies here, to propose; nil for none.
  var keyHere: String?
  private(set) var environment = EnvironmentSetting.named(.emulator)
  private(set) var bundleID = "com.example.app"
  /// The path of the signing key, as given; nil for none yet.
  private(set) var key: String?
  /// The path of the certificate, as given, in place of a key.
  private(set) var certificate: String?
  private(set) var keyID: KeyID?
  private(set) var teamID: TeamID?

  /// The path of the key or certificate; nil for none yet.
  var credentials: String? { certificate ?? key }

  var isEmulator: Bool { environment == .named(.emulator) }

  /// The default answer; nil for none.
  func proposal(for question: ProjectQuestion) -> String? {
    switch question {
    case .environment:
      ([given[.key], given[.certificate], keyHere].contains { $0 != nil }
        ? PushEnvironment.sandbox : .emulator).name
    case .bundleID: bundleID
    case .key: keyHere ?? ""
    case .certificate: ""
    case .keyID: key.flatMap { KeyID(fileName: $0) }?.text
    case .teamID: nil
    }
  }

  /// Decides whether a question applies: the emulator needs no key, and IDs go with a key.
  func isSensible(_ question: ProjectQuestion) -> Bool {
    switch question {
    case .environment, .bundleID: true
    case .certificate: given[.certificate] != nil
    case .key: certificate == nil && !isEmulator || given[.key] != nil
    case .keyID, .teamID: key != nil || given[question] != nil
    }
  }

  /// Takes an answer; an empty one selects the default.
  ///
  /// - Throws: `Failure` if the answer is not valid.
  mutating func take(_ answer: String, for question: ProjectQuestion) throws(Failure) {
    let name = question.words.name
    guard let text = answer.isEmpty ? proposal(for: question) : answer else {
      throw .missingIdentifier(name: name, option: "--\(question.rawValue)", elsewhere: nil)
    }
    switch question {
    case .environment: environment = try EnvironmentSetting(text, from: name)
    case .bundleID: bundleID = try BundleID(text, from: name).text
    case .key: key = try path(text, for: "key")
    case .certificate: certificate = try path(text, for: "certificate")
    case .keyID, .teamID: try takeID(text, for: question)
    }
  }

  /// The contents are checked when they are used.
  private func path(_ text: String, for purpose: String) throws(Failure) -> String? {
    if text.isEmpty { return nil }
    if !fileExists(text) { throw .secretFile(path: text, purpose: purpose, .missing) }
    return text
  }

  private mutating func takeID(_ text: String, for question: ProjectQuestion) throws(Failure) {
    let option = "--\(question.rawValue)"
    if key == nil { throw .missingCredentials("key", option: "--key", neededBy: option) }
    do throws(IdentifierError) {
      if question == .keyID { keyID = try KeyID(text) } else { teamID = try TeamID(text) }
    } catch {
      throw .badIdentifier(question == .keyID ? .key : .team, setting: option, error)
    }
    if let keyID, let teamID, keyID.text == teamID.text { throw .sameIdentifier(teamID.text) }
  }
}
