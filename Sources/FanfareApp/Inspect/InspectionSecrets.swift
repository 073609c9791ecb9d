internal import APNS
internal import Credentials
internal import Projects

/// What opens the files that are inspected, and what they are compared with.
struct InspectionSecrets {
  let keyPassword: SecretBytes?
  /// For a `.p12`, or a key beside its certificate.
  let certificatePassword: SecretBytes?
  /// The key that provider tokens and certificates are compared with.
  let key: CredentialSecret?
  /// Its public half as SubjectPublicKeyInfo in DER; nil when it cannot sign provider tokens.
  let publicKey: [UInt8]?
  let warnings: [CredentialWarning]

  init(
    key path: String?, keyPasswordFile: String?, certificatePasswordFile: String?,
    _ context: Context
  ) throws(Failure) {
    let passwords = (
      key: try Self.password(.key, keyPasswordFile, context),
      certificate: try Self.password(.certificate, certificatePasswordFile, context)
    )
    (keyPassword, certificatePassword) = (passwords.key?.bytes, passwords.certificate?.bytes)
    key = try path.map { (path) throws(Failure) in
      try CredentialSecret(.file(path), for: "key", context)
    }
    publicKey = try Self.publicKey(of: key, keyPassword)
    // A password is for all files, and may be there for some other than these.
    warnings =
      (key?.warnings ?? [])
      + [passwords.key, passwords.certificate].flatMap {
        $0?.warnings(isIdle: false, for: "") ?? []
      }
  }

  private static func password(
    _ kind: CredentialPassword.Kind, _ option: String?, _ context: Context
  ) throws(Failure) -> CredentialPassword? {
    let named = option.map { Setting<SecretPlace>(.file($0), .setting("--")) }
    return try CredentialPassword(kind, named, isVariableMeant: false, context)
  }

  /// The keys of certificates are of other kinds: they sign no provider token.
  private static func publicKey(
    of key: CredentialSecret?, _ password: SecretBytes?
  ) throws(Failure) -> [UInt8]? {
    guard let key else { return nil }
    do throws(SigningKeyError) {
      return try SigningKey(contents: key.contents, password: password).publicKeyDER()
    } catch .wrongAlgorithm, .wrongCurve {
      return nil
    } catch {
      throw .credentials(in: key.name, error)
    }
  }
}
