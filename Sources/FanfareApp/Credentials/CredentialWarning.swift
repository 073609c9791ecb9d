internal import Credentials
internal import PlainText

/// Something about a key or certificate that a person should know, although it can be used.
enum CredentialWarning: Equatable {
  /// More people than its owner may read a file.
  case exposedFile(path: String, purpose: String, mode: UInt16)
  /// There is a password for what is not locked.
  case idlePassword(setting: String, key: String)
  /// The file's name tells another key id than the one that is used.
  case otherKeyID(KeyID, fileName: KeyID, setting: String)

  /// A `.p12` is locked with algorithms that are no longer safe, nor always there.
  case oldEncryption(String, algorithms: [String])
  /// A certificate ends soon, or would not be used without force.
  case unfit(String, CertificateProblem)

  /// The keys of connections are written into a file.
  case keyLog(path: String)

  /// Writes warnings for a person.
  static func tell(_ warnings: [CredentialWarning], _ context: Context) {
    context.warn(warnings.map { .warning($0.sentences.what, $0.sentences.fix) })
  }
}

extension CredentialWarning {
  var sentences: (what: String, fix: String) {
    switch self {
    case .exposedFile(let path, let purpose, let mode):
      (
        "The \(purpose) file \(path.printable) is readable by other users (mode \(octal(mode))).",
        "chmod 600 \(shellWord(path))"
      )
    case .idlePassword(let setting, let key):
      ("\(key.printable): it is not encrypted; the password is not used.", "Omit \(setting).")
    case .oldEncryption(let name, let algorithms):
      (
        "\(name.printable): it is encrypted with \(algorithms.joined(separator: " and ").printable), "
          + "which is no longer safe.",
        "Re-encrypt it: 'fanfare inspect' shows how."
      )
    case .unfit(let name, let problem): ("\(name.printable): \(problem.sentence)", problem.fix)
    case .keyLog(let path):
      (
        "The TLS keys of all connections are written to \(path.printable).",
        "They allow anyone to decrypt recorded traffic, provider tokens included: delete them after use."
      )
    case .otherKeyID(let keyID, let fileName, let setting):
      (
        "The key ID is \(keyID.text), but the file's name says \(fileName.text).",
        "Unless the file was renamed, omit \(setting.printable): the name holds the key ID."
      )
    }
  }
}
