internal import APNS
internal import Credentials
internal import HTTP2
internal import PlainText

// What can be wrong with keys, certificates and where they are named.
extension Failure {
  /// No key or certificate was given.
  static var noKey: Failure {
    Failure(
      "No credentials given.",
      fix: "Give --key AuthKey_….p8 and --team-id, or --cert FILE.p12, or set FANFARE_KEY and its "
        + "companions.")
  }

  /// A client certificate where a provider token is needed. `origin` names it.
  static func certificateSignsNothing(origin: String) -> Failure {
    Failure(
      "\(origin.printable) names a client certificate, which cannot sign provider tokens.",
      fix: "Give --key AuthKey_….p8 and --team-id.")
  }

  /// A client certificate cannot be used. `name` is its file or variable, `keyName` that of the key
  /// when it has one of its own.
  static func certificate(
    name: String, keyName: String?, _ error: CertificateError
  ) -> Failure {
    let (what, fix) = error.sentences(name, keyName: keyName)
    return Failure(what, fix: fix, .connection, cause: error)
  }

  /// OpenSSL rejects a client certificate.
  static func identity(name: String, _ error: ClientIdentity.Failure) -> Failure {
    let (what, fix) = error.sentences(name)
    return Failure(what, fix: fix, .connection, cause: error)
  }

  /// No push would get through with a client certificate.
  static func unfitCertificate(name: String, _ problems: [CertificateProblem]) -> Failure {
    .several(
      problems.map { problem in
        let (what, fix) = problem.sentences(name)
        return Failure(what, fix: fix, .connection)
      })
  }

  /// The variable that asks for TLS keys is set, and `--tls-key-log` is not given.
  static func keyLog(path: String) -> Failure {
    Failure(
      "SSLKEYLOGFILE is set: the TLS keys of all connections would be written to "
        + "\(path.printable).",
      fix: "Unset it; or give --tls-key-log if recorded traffic may reveal provider tokens.")
  }

  /// A key cannot be used. `name` is its file or variable.
  static func key(name: String, _ error: SigningKeyError) -> Failure {
    Failure("\(name.printable): \(error.sentence)", fix: error.fix, .connection, cause: error)
  }

  /// A file of certificates cannot be read.
  static func keyFile(_ failure: FileFailure) -> Failure {
    Failure(failure.sentence, fix: failure.fix, .connection, cause: failure)
  }

  /// A file with a key or a password is not read. `purpose` is what it is for.
  static func secretFile(path: String, purpose: String, _ error: SecretFileError) -> Failure {
    Failure(
      error.sentence(path, purpose), fix: error.fix(path, purpose), .connection, cause: error)
  }

  /// A variable holds neither a key nor a certificate, nor the path of a file that is read.
  static func secretVariable(
    name: String, path: String, purpose: String, _ error: SecretFileError
  ) -> Failure {
    Failure(
      "\(name.printable): \(error.sentence(path, purpose))",
      fix: error.fix(path, purpose, variable: name.printable), .connection, cause: error)
  }

  /// A program that should print a secret does not.
  static func secretCommand(
    program: String, purpose: String, _ fault: SecretCommandFault
  ) -> Failure {
    let (what, fix) = fault.sentences(program, purpose)
    return Failure(what, fix: fix, .connection, cause: fault)
  }

  /// An option's text holds a password, which others can see there. `variable` is a better place.
  static func passwordInArgument(option: String, variable: String) -> Failure {
    Failure(
      "The URL given with \(option) contains a password, and other users can see arguments.",
      fix: "Put the URL into the variable \(variable) instead.")
  }
}

/// What is wrong with the IDs of a key.
enum IdentifierFault: Error {
  case missing
  case malformed(IdentifierError)
  case swapped
  case same
}

extension Failure {
  /// A key or an ID is missing that goes with others. `elsewhere` is a lower layer that has it, or the
  /// option that goes with it.
  static func missingIdentifier(
    name: String, option: String, elsewhere: String?
  ) -> Failure {
    let isFile = name == "key" || name == "certificate"
    let fix =
      switch (isFile, elsewhere) {
      case (true, let other): "\(other ?? "An ID") needs a \(name): give \(option) too."
      case (false, nil): "Give \(option): ten uppercase letters and digits."
      case (false, let other?):
        "Give \(option). \(other) is set, but credentials are taken from one place as a whole."
      }
    return Failure(
      "The \(name) is missing.", fix: fix, cause: isFile ? nil : IdentifierFault.missing,
      rule: "credentials")
  }

  /// An ID is not ten uppercase letters and digits.
  static func badIdentifier(name: String, setting: String, _ error: IdentifierError) -> Failure {
    let isKeyID = name.lowercased() == "key id"
    return Failure(
      "\(setting.printable): not a \(name): \(error.clause).",
      fix: isKeyID
        ? "The key ID is in the key's file name, AuthKey_KEYID.p8, and in the developer portal."
        : "The team ID is under Membership in the developer portal.",
      cause: IdentifierFault.malformed(error), rule: "credentials")
  }

  /// The team ID is the key ID in the file's name: the two settings are swapped.
  static func swappedIdentifiers(keyID: String, teamID: String, fileName: KeyID) -> Failure {
    Failure(
      "Key ID and team ID are swapped: according to the file's name, the key ID is "
        + "\(fileName.text).",
      fix: "Give \(fileName.text) as \(keyID.printable), and the other as \(teamID.printable).",
      cause: IdentifierFault.swapped)
  }

  /// Key ID and team ID are the same.
  static func sameIdentifier(_ id: String) -> Failure {
    Failure(
      "Key ID and team ID are both \(id).",
      fix: "The key ID is in the file name AuthKey_KEYID.p8, the team ID under Membership in the "
        + "developer portal.", cause: IdentifierFault.same)
  }
}

extension IdentifierError {
  /// What is wrong with the ID, as a clause.
  var clause: String {
    switch self {
    case .wrongLength(let count): "it has \(counted(count, "character")) instead of ten"
    case .badCharacter(let scalar):
      "'\(scalar.printable)' is not an uppercase letter or digit"
    }
  }
}
