internal import Credentials
internal import JSONText
internal import Opening
internal import PlainText
internal import Reporting

/// A report on a private key: its kind, and whether it signs provider tokens.
struct KeyReport {
  let file: String
  let facts: PrivateKeyFacts

  var parts: [Report.Part] {
    let isLocked = facts.algorithm == nil
    let keyID = KeyID(fileName: file)
    let publicKey = facts.publicKeySHA256.map(hexadecimal)
    return [
      .fact("kind", "kind", "private key", shown: kind),
      .json("form", .text(facts.form.rawValue)),
      .json("encoding", .text(facts.encoding.rawValue)),
      .fact("algorithm", "algorithm", .text(facts.algorithm)),
      .fact(
        "encrypted with", "lockedWith", .text(facts.lock?.name),
        shown: facts.lock.map { "\($0.name)\(rounds($0.iterations))" }),
      .json("iterations", .number(facts.lock?.iterations)),
      .fact(
        "signs provider tokens", "signsProviderTokens",
        .flag(isLocked ? nil : facts.fault == nil),
        shown: .verdict(facts.fault?.sentence, isKnown: !isLocked)),
      .json("problem", .text(facts.fault?.sentence)), .fix(facts.fault?.fix),
      .fact(
        "key ID", "keyID", .text(keyID?.text),
        shown: keyID.map { "\($0.text), from the file's name" }),
      .fact(
        "public key", "publicKeySHA256", .text(publicKey),
        shown: publicKey.map { "SHA-256 \($0)" }),
    ]
  }

  private var kind: StyledText {
    let form = facts.form == .traditional ? "an older form" : facts.form.rawValue
    return "private key in \(form), \(facts.encoding.rawValue)"
  }
}

/// `, 2,048 rounds`; empty for one round.
func rounds(_ count: Int) -> String { count > 1 ? ", \(counted(count, "round"))" : "" }

extension StyledText {
  /// Yes, or the reason why not.
  static func verdict(_ fault: String?, isKnown: Bool) -> StyledText {
    guard let fault else { return "\("yes", .good)" }
    return isKnown ? "\("no:", .bad) \(fault)" : "\("unknown:", .doubtful) \(fault)"
  }
}

/// The permissions of a file that holds a secret.
struct FilePermissions {
  let path: String
  let mode: UInt16

  private var isReadableByOthers: Bool { mode & 0o044 != 0 }

  /// If true, `send` refuses the file.
  private var isWritableByOthers: Bool { mode & 0o022 != 0 }

  /// The text for people.
  var shown: StyledText {
    let fix = "; chmod 600 \(shellWord(path))"
    if isWritableByOthers { return "\(octal(mode)), \("writable by others", .bad)\(fix)" }
    if isReadableByOthers { return "\(octal(mode)), \("readable by others", .doubtful)\(fix)" }
    return "\(octal(mode)), only its owner can read it"
  }

  static func parts(_ permissions: FilePermissions?) -> [Report.Part] {
    [.text("permissions", permissions?.shown)] + members(permissions)
  }

  /// The JSON members; all null if it is not an ordinary file.
  static func members(_ permissions: FilePermissions?) -> [Report.Part] {
    [
      .json("mode", .text(permissions.map { octal($0.mode) })),
      .json("readableByOthers", .flag(permissions?.isReadableByOthers)),
      .json("writableByOthers", .flag(permissions?.isWritableByOthers)),
    ]
  }
}
