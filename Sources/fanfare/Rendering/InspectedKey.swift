internal import Credentials
internal import JSONText
internal import PlainText

/// A private key that was inspected.
struct InspectedKey: InspectedRows {
  let file: String
  let facts: PrivateKeyFacts
  let permissions: FilePermissions?

  private var keyID: KeyID? { KeyID(fileName: file) }

  /// Whether it could not be opened.
  private var isLocked: Bool { facts.algorithm == nil }

  func sections(_ style: Style) -> [InspectSection] {
    let fault = facts.fault
    let no = isLocked ? style.doubtful("not known: ") : style.bad("no: ")
    return [
      InspectSection([
        ("kind", kind), ("locked with", facts.lock?.sentence.printable),
        ("algorithm", facts.algorithm?.printable),
        ("signs provider tokens", fault.map { no + $0.sentence } ?? style.good("yes")),
        ("", fault?.fix), ("key id", keyID.map { "\($0.text), as the file's name says" }),
        ("permissions", permissions?.row(style)),
        ("public half", facts.publicKeySHA256.map { "SHA-256 " + hexadecimal($0) }),
      ])
    ]
  }

  private var kind: String {
    let form = facts.form == .traditional ? "an older form" : facts.form.rawValue
    return "private key in \(form), \(facts.encoding.rawValue)"
  }

  var members: [(String, JSON)] {
    [
      ("kind", "private key"), ("form", .text(facts.form.rawValue)),
      ("encoding", .text(facts.encoding.rawValue)), ("algorithm", .text(facts.algorithm)),
      ("lockedWith", .text(facts.lock?.name)), ("iterations", .number(facts.lock?.iterations)),
      ("signsProviderTokens", .flag(isLocked ? nil : facts.fault == nil)),
      ("problem", .text(facts.fault?.sentence)),
      ("fix", .text(facts.fault?.fix)), ("keyID", .text(keyID?.text)),
      ("publicKeySHA256", .text(facts.publicKeySHA256.map(hexadecimal))),
    ] + .permissions(permissions)
  }
}

extension PrivateKeyFacts.Lock {
  /// `AES-256-CBC, PBKDF2, 2,048 rounds`
  var sentence: String {
    iterations > 1 ? "\(name), \(counted(iterations, "round"))" : name
  }
}
