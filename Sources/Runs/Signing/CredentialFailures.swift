package import Credentials
internal import PlainText
package import Reporting
internal import Settings

// Failures with keys, certificates and the settings that name them.
extension Failure {
  package static var noKey: Failure {
    Failure(
      "No credentials given.",
      fix: "Give --key AuthKey_….p8 and --team-id, --cert FILE.p12, or the --profile that names "
        + "them, or set FANFARE_KEY and its companions; the emulator needs none.")
  }

  /// Nothing identifies the key that workers need for a run.
  static var noKeyForQueue: Failure {
    Failure(
      "No credentials given: workers have to know which key to take.",
      fix: "Give --key-id and --team-id, which is all that --enqueue needs of a key, or --cert "
        + "FILE.p12.")
  }

  /// A client certificate was given where a provider token is needed. `origin` names it.
  static func certificateSignsNothing(origin: String) -> Failure {
    Failure(
      "\(origin.printable) names a client certificate, which cannot sign provider tokens.",
      fix: "Give --key AuthKey_….p8 and --team-id.")
  }

  /// The contents of a file or variable cannot be used.
  package static func credentials(
    in name: String, _ fault: some Described, _ code: ExitCode = .connection
  ) -> Failure {
    Failure(
      "\(name.printable): \(fault.sentence)", fix: fault.fix, code, cause: fault as? any Error)
  }

  package static func key(name: String, _ error: SigningKeyError) -> Failure {
    .credentials(in: name, error)
  }

  /// - Parameter keyName: the file or variable of the key, if it is separate.
  package static func certificate(name: String, keyName: String?, _ error: CertificateError)
    -> Failure
  {
    .credentials(in: error.isAboutKey ? keyName ?? name : name, error)
  }

  /// The variable for logging TLS keys is set, but `--tls-key-log` is not given.
  static func keyLog(path: String) -> Failure {
    Failure(
      "SSLKEYLOGFILE is set: the TLS keys of all connections would be written to "
        + "\(path.printable).",
      fix: "Unset it; or give --tls-key-log if recorded traffic may reveal provider tokens.")
  }

  /// A secret file cannot be read. `variable` has its path, or text that was mistaken for one.
  package static func secretFile(
    path: String, purpose: String, in variable: String? = nil, _ error: SecretFileError
  ) -> Failure {
    Failure(
      (variable.map { "\($0.printable): " } ?? "") + error.sentence(path, purpose),
      fix: error.fix(path, purpose, in: variable), error == .missing ? .usage : .connection,
      cause: error)
  }

  /// An option holds a password, which other users can see. `variable` is a safer place.
  static func passwordInArgument(option: String, variable: String) -> Failure {
    Failure(
      "The URL given with \(option) contains a password, and other users can see arguments.",
      fix: "Put the URL into the variable \(variable) instead.")
  }
}

/// The two IDs that go with a key.
package enum IdentifierKind {
  case key, team

  var name: String { self == .key ? "key ID" : "team ID" }
  var option: String { self == .key ? "--key-id" : "--team-id" }
  /// The key in a scenario or profile.
  var member: String { self == .key ? "keyID" : "teamID" }
  var variable: EnvironmentVariable { self == .key ? .keyID : .teamID }
}

package enum IdentifierFault: Error {
  case missing
  case malformed(IdentifierError)
  case swapped
  case same
}

extension Failure {
  /// An ID is missing. `elsewhere` is a lower layer that has one.
  package static func missingIdentifier(
    name: String, option: String, elsewhere: String?
  ) -> Failure {
    let fix =
      if let elsewhere {
        "Give \(option). \(elsewhere) is set, but credentials are taken from one place as a whole."
      } else {
        "Give \(option): ten uppercase letters and digits."
      }
    return Failure(
      "The \(name) is missing.", fix: fix, cause: IdentifierFault.missing, rule: "credentials")
  }

  package static func badIdentifier(
    _ kind: IdentifierKind, setting: String, _ error: IdentifierError
  ) -> Failure {
    let fix =
      switch kind {
      case .key:
        "The key ID is in the key's file name, AuthKey_KEYID.p8, and in the developer portal."
      case .team: "The team ID is under Membership in the developer portal."
      }
    return Failure(
      "\(setting.printable): not a \(kind.name): \(error.clause).", fix: fix,
      cause: IdentifierFault.malformed(error), rule: "credentials")
  }

  /// The given team ID equals the key ID in the file's name.
  static func swappedIdentifiers(keyID: String, teamID: String, fileName: KeyID) -> Failure {
    Failure(
      "Key ID and team ID are swapped: according to the file's name, the key ID is "
        + "\(fileName.text).",
      fix: "Give \(fileName.text) as \(keyID.printable), and the other as \(teamID.printable).",
      cause: IdentifierFault.swapped)
  }

  package static func sameIdentifier(_ id: String) -> Failure {
    Failure(
      "Key ID and team ID are both \(id).",
      fix: "The key ID is in the file name AuthKey_KEYID.p8, the team ID under Membership in the "
        + "developer portal.", cause: IdentifierFault.same)
  }
}
