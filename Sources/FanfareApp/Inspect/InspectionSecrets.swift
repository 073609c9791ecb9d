internal import APNS
internal import Credentials
internal import Projects

/// What opens the files that are inspected, and what they are compared with.
struct InspectionSecrets {
  /// What a locked key is opened with.
  let keyPassword: SecretBytes?
  /// What a `.p12`, or a key beside its certificate, is opened with.
  let certificatePassword: SecretBytes?
  /// The key that provider tokens and certificates are compared with.
  let key: CredentialSecret?
  /// Its public half as SubjectPublicKeyInfo in DER; nil when it cannot sign provider tokens.
  let publicKey: [UInt8]?
  /// What a person should know about their files.
  let warnings: [CredentialWarning]

  init(
    key path: String?, keyPasswordFile: String?, certificatePasswordFile: String?,
    _ context: Context
  ) throws(Failure) {
    let (keyPassword, certificatePassword) = (
      try Self.password(.key, keyPasswordFile, context),
      try Self.password(.certificate, certificatePasswordFile, context)
    )
    key = try path.map { (path) throws(Failure) in
      try CredentialSecret(.file(path), for: "key", context)
    }
    publicKey = try key.flatMap { (key) throws(Failure) in
      try Self.publicKey(of: key, keyPassword?.bytes)
    }
    (self.keyPassword, self.certificatePassword) = (keyPassword?.bytes, certificatePassword?.bytes)
    let passwords = [keyPassword, certificatePassword].compactMap(\.self)
    // A password is for all files, and may be there for some other than these.
    warnings =
      (key?.warnings ?? []) + passwords.flatMap { $0.warnings(isIdle: false, for: "") }
  }

  private static func password(
    _ kind: CredentialPassword.Kind, _ option: String?, _ context: Context
  ) throws(Failure) -> CredentialPassword? {
    let named = option.map { Setting<SecretPlace>(.file($0), .setting("--")) }
    return try CredentialPassword(kind, named, isVariableMeant: false, context)
  }

  /// The keys of certificates are of other kinds: they sign no provider token.
  private static func publicKey(
    of key: CredentialSecret, _ password: SecretBytes?
  ) throws(Failure) -> [UInt8]? {
    do throws(SigningKeyError) {
      return try SigningKey(contents: key.contents, password: password).publicKeyDER()
    } catch {
      if case .wrongAlgorithm = error { return nil }
      if case .wrongCurve = error { return nil }
      throw .key(name: key.name, error)
    }
  }
}
