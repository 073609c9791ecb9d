internal import Credentials
internal import JSONText
internal import PlainText
internal import Reporting
internal import Runs

/// A report on a private key: its kind, and whether it signs provider tokens.
struct KeyReport: JSONDescribed {
  let file: String
  let facts: PrivateKeyFacts
  let permissions: FilePermissions?

  static let fields: [OutputField<Self>] = [
    .always(
      "kind", { _ in "private key" }, "What the file contains.", .word(["private key"]), as: "kind"
    ) { $0.kind }, .always("form", \.facts.form.rawValue, "PKCS#8, SEC1 or traditional."),
    .always("encoding", \.facts.encoding.rawValue, "PEM, DER or base64."),
    .always(
      "algorithm", \.facts.algorithm, "The algorithm; null while it is encrypted.", as: "algorithm"),
    .always("lockedWith", \.facts.lock?.name, "How it is encrypted.", as: "encrypted with") {
      $0.facts.lock.map { "\($0.name)\(rounds($0.iterations))" }
    }, .always("iterations", \.facts.lock?.iterations, "The rounds of the encryption."),
    .always(
      "signsProviderTokens", { $0.isLocked ? nil : $0.facts.fault == nil },
      "Whether it can sign them.", as: "signs provider tokens"
    ) { .verdict($0.facts.fault?.sentence, isKnown: !$0.isLocked) },
    .always("problem", \.facts.fault?.sentence, "Why it cannot be used."), .fix(\.facts.fault?.fix),
    .always("keyID", \.keyID?.text, "The key ID in the file's name.", as: "key ID") {
      $0.keyID.map { "\($0.text), from the file's name" }
    },
    .always("publicKeySHA256", \.publicKey, "The SHA-256 of its public half.", as: "public key") {
      $0.publicKey.map { "SHA-256 \($0)" }
    }, .people { [.text("permissions", $0.permissions?.shown)] },
    .all(FilePermissions.fields, of: \.permissions),
  ]

  private var isLocked: Bool { facts.algorithm == nil }
  private var keyID: KeyID? { KeyID(fileName: file) }
  private var publicKey: String? { facts.publicKeySHA256.map(hexadecimal) }

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

  /// The JSON members; all null if it is not an ordinary file.
  static let fields: [OutputField<Self?>] = [
    .always("mode", { $0.map { octal($0.mode) } }, "The file's permissions, in octal."),
    .always("readableByOthers", { $0?.isReadableByOthers }, "Whether others can read it."),
    .always("writableByOthers", { $0?.isWritableByOthers }, "Whether others can write to it."),
  ]
}
