internal import Credentials
internal import JSONText
internal import PlainText

/// What a private key is, and whether it signs provider tokens.
struct KeyReport {
  let file: String
  let facts: PrivateKeyFacts

  private var isLocked: Bool { facts.algorithm == nil }

  var parts: [Report.Part] {
    let keyID = KeyID(fileName: file)
    let publicKey = facts.publicKeySHA256.map(hexadecimal)
    return [
      .fact("kind", "kind", "private key", shown: kind),
      .json("form", .text(facts.form.rawValue)),
      .json("encoding", .text(facts.encoding.rawValue)),
      .fact("algorithm", "algorithm", .text(facts.algorithm)),
      .fact("encrypted with", "lockedWith", .text(facts.lock?.name), shown: lock),
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

  /// `AES-256-CBC, PBKDF2, 2,048 rounds`
  private var lock: StyledText? {
    facts.lock.map { "\($0.name)\(rounds($0.iterations))" }
  }
}

/// `, 2,048 rounds`; nothing for one.
func rounds(_ count: Int) -> String { count > 1 ? ", \(counted(count, "round"))" : "" }

extension StyledText {
  /// Whether something works: yes, or why not.
  static func verdict(_ fault: String?, isKnown: Bool) -> StyledText {
    guard let fault else { return "\("yes", .good)" }
    return isKnown ? "\("no:", .bad) \(fault)" : "\("unknown:", .doubtful) \(fault)"
  }
}

/// Who may read and write a file that holds a secret.
struct FilePermissions {
  let path: String
  let mode: UInt16

  private var isReadableByOthers: Bool { mode & 0o044 != 0 }

  /// Then `send` refuses it.
  private var isWritableByOthers: Bool { mode & 0o022 != 0 }

  var row: Report.Part {
    let fix = "; chmod 600 \(shellWord(path))"
    let state: StyledText =
      if isWritableByOthers {
        "\("writable by others", .bad)\(fix)"
      } else if isReadableByOthers {
        "\("readable by others", .doubtful)\(fix)"
      } else {
        "only its owner can read it"
      }
    return .text("permissions", "\(octal(mode)), \(state)")
  }

  static func parts(_ permissions: FilePermissions?) -> [Report.Part] {
    [permissions?.row].compactMap(\.self) + members(permissions)
  }

  /// For programs; all null for what is not an ordinary file.
  static func members(_ permissions: FilePermissions?) -> [Report.Part] {
    [
      .json("mode", .text(permissions.map { octal($0.mode) })),
      .json("readableByOthers", .flag(permissions?.isReadableByOthers)),
      .json("writableByOthers", .flag(permissions?.isWritableByOthers)),
    ]
  }
}
