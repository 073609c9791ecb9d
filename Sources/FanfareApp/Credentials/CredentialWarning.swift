internal import Credentials

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
