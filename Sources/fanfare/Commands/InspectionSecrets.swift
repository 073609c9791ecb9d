internal import CommandLineKit
internal import PushCore

/// What opens the files that are inspected, and what they are compared with.
struct InspectionSecrets {
  /// What a locked key is opened with.
  let keyPassword: SecretBytes?
  /// What a `.p12`, or a key beside its certificate, is opened with.
  let certificatePassword: SecretBytes?
  /// The key that provider tokens and certificates are compared with.
  let key: KeySecret?
  /// Its public half as SubjectPublicKeyInfo in DER; nil when it cannot sign provider tokens.
  let publicKey: [UInt8]?

  private(set) var warnings: [CredentialWarning] = []

  init(
    key: String?, keyPasswordFile: String?, certificatePasswordFile: String?, _ context: Context
  ) throws(Failure) {
    keyPassword = try Self.password(keyPasswordFile, .keyPassword, "key password", context)
    certificatePassword = try Self.password(
      certificatePasswordFile, .certificatePassword, "certificate password", context)
    self.key = try key.map { (path) throws(Failure) in try KeySecret(file: path) }
    publicKey = try self.key.flatMap { [keyPassword] (key) throws(Failure) in
      try Self.publicKey(of: key, keyPassword)
    }
    warnings = self.key?.warnings ?? []
  }

  private static func password(
    _ path: String?, _ variable: EnvironmentVariable, _ purpose: String, _ context: Context
  ) throws(Failure) -> SecretBytes? {
    guard let path else { return context.value(variable).map { SecretBytes($0) } }
    return try SecretFile(reading: path, for: purpose).bytes.withoutLineEnd
  }

  /// The keys of certificates are of other kinds: they sign no provider token.
  private static func publicKey(
    of key: KeySecret, _ password: SecretBytes?
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
