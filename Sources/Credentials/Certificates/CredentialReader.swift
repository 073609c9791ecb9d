internal import COpenSSL

/// The certificates and keys of one file, in its order.
struct CredentialParts {
  var certificates: [X509Certificate] = []
  var keys: [CertificateKey] = []
  /// The encryption, if they come from a `.p12`.
  var encryption: PKCS12Encryption?
}

/// Reads any kind of file that may hold certificates or keys.
struct CredentialReader {
  let file: CertificateError.File
  var password: SecretBytes?
  /// Keys are wanted. If false, none is decrypted.
  var takesKeys = true
  /// The source of old algorithms; nil if there is none.
  var legacy: () -> LibraryContext? = { .legacy }

  /// Reads the file's contents. They may not include what the caller is looking for.
  func read(_ contents: SecretBytes) throws(CertificateError) -> CredentialParts {
    defer { ERR_clear_error() }
    let kind = CredentialKind(of: contents)
    switch kind {
    case .pkcs12: return try pkcs12(contents)
    case .pem: return try pem(contents)
    case .certificate, .privateKey, .lockedPrivateKey:
      var parts = CredentialParts()
      try contents.withBytes { (bytes) throws(CertificateError) in
        try add(kind, bytes, to: &parts)
      }
      return parts
    default: return try base64(contents, else: kind)
    }
  }

  /// Adds the contents of a PEM block or a DER file. Unwanted parts are skipped.
  func add(
    _ kind: CredentialKind, _ bytes: UnsafeRawBufferPointer, to parts: inout CredentialParts
  ) throws(CertificateError) {
    switch kind {
    case .certificate:
      guard let certificate = X509Certificate(bytes) else { throw .broken(kind, file) }
      parts.certificates.append(certificate)
    case .privateKey:
      let key = CertificateKey(bytes)
      if key == nil, takesKeys { throw .broken(kind, file) }
      parts.keys += [key].compactMap(\.self)
    case .lockedPrivateKey where takesKeys: parts.keys.append(try unlocked(bytes))
    default: break
    }
  }

  private var unlocking: Unlocking { Unlocking(file: file, password: password) }

  /// Tries OpenSSL's default algorithms first, then the legacy ones.
  private func withAlgorithms<Content>(
    isOld: Bool, _ body: (LibraryContext) throws(CertificateError) -> Content
  ) throws(CertificateError) -> Content {
    do {
      return try body(.usual)
    } catch {
      guard case .unsupportedEncryption(let names) = error else { throw error }
      guard let legacy = legacy() else { throw isOld ? .legacyUnavailable(names) : error }
      return try body(legacy)
    }
  }
}

extension CredentialReader {
  private func pkcs12(_ contents: SecretBytes) throws(CertificateError) -> CredentialParts {
    guard let archive = contents.withBytes({ PKCS12Archive($0, .usual) }) else {
      throw .broken(.pkcs12, file)
    }
    let isOld = PKCS12Encryption(archive).isLegacy
    return try withAlgorithms(isOld: isOld) { (context) throws(CertificateError) in
      guard let archive = contents.withBytes({ PKCS12Archive($0, context) }) else {
        throw .broken(.pkcs12, file)
      }
      let reader = PKCS12Reader(
        archive: archive, context: context, unlocking: unlocking, takesKeys: takesKeys)
      return try reader.read()
    }
  }

  private func unlocked(
    _ bytes: UnsafeRawBufferPointer
  ) throws(CertificateError) -> CertificateKey {
    let key = decoded(bytes) { d2i_X509_SIG(nil, $0, $1) }
    defer { X509_SIG_free(key) }
    guard let key, let lock = PasswordEncryption(ofKey: key) else {
      throw .broken(.lockedPrivateKey, file)
    }
    return try withAlgorithms(isOld: lock.isOld) { (context) throws(CertificateError) in
      try unlocking.unlock(lock, else: unlocking.refusal) {
        CertificateKey(locked: key, with: $0, context)
      }
    }
  }

  /// Reads base64 of any of the kinds, as CI variables hold it.
  private func base64(
    _ contents: SecretBytes, else kind: CredentialKind
  ) throws(CertificateError) -> CredentialParts {
    if contents.isBlank { throw .empty(file) }
    guard let decoded = contents.base64Decoded, CredentialKind(of: decoded).isRead else {
      throw .wrongKind(kind, file)
    }
    return try read(decoded)
  }
}

extension CredentialKind {
  /// Certificates and keys are read from this kind of file.
  package var isRead: Bool {
    switch self {
    case .pkcs12, .pem, .certificate, .privateKey, .lockedPrivateKey: true
    default: false
    }
  }
}

extension CertificateKey {
  /// Decrypts an X509_SIG; nil on failure, for which OpenSSL's error queue may have the reason.
  convenience init?(
    locked key: OpaquePointer, with passphrase: Passphrase, _ context: LibraryContext
  ) {
    let info = passphrase.withCharacters { PKCS8_decrypt_ex(key, $0, $1, context.pointer, nil) }
    guard let info else { return nil }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    self.init(info)
  }
}
