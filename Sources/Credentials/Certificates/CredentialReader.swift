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
    let contents = contents.inUTF8
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

extension CredentialReader {
  /// Reads the blocks of PEM text, ignoring anything between them.
  func pem(_ contents: SecretBytes) throws(CertificateError) -> CredentialParts {
    var parts = CredentialParts()
    var stranger: CredentialKind?
    for block in try blocks(of: contents) {
      guard let kind = CredentialKind(label: block.label) else { continue }
      switch kind {
      case .certificate, .privateKey, .lockedPrivateKey: try add(block, kind, to: &parts)
      default: stranger = stranger ?? kind
      }
    }
    if let stranger, parts.certificates.isEmpty, parts.keys.isEmpty {
      throw .wrongKind(stranger, file)
    }
    return parts
  }

  private func blocks(of contents: SecretBytes) throws(CertificateError) -> [PEMBlock] {
    let (blocks, areWhole) = PEMBlock.all(in: PEMText.unfolded(contents) ?? contents)
    guard areWhole, !blocks.isEmpty else { throw .broken(.pem, file) }
    return blocks
  }

  private func add(
    _ block: PEMBlock, _ kind: CredentialKind, to parts: inout CredentialParts
  ) throws(CertificateError) {
    guard let lock = block.lock else {
      return try block.bytes.withBytes { (bytes) throws(CertificateError) in
        try add(kind, bytes, to: &parts)
      }
    }
    if takesKeys { parts.keys.append(try unlocked(block, lock)) }
  }

  private func unlocked(
    _ block: PEMBlock, _ lock: PEMLock
  ) throws(CertificateError) -> CertificateKey {
    guard let password else { throw .needsPassword(file) }
    ERR_clear_error()
    let opened = lock.open(block.bytes, with: password)
    guard let key = opened.flatMap({ $0.withBytes { CertificateKey($0) } }) else {
      throw OpenSSLErrors.sayUnsupported()
        ? .unsupportedEncryption([lock.cipher]) : .wrongPassword(file)
    }
    return key
  }
}

/// The password for a file, if one was given.
struct Unlocking {
  let file: CertificateError.File
  let password: SecretBytes?

  /// The error for a failed decryption.
  var refusal: CertificateError { password == nil ? .needsPassword(file) : .wrongPassword(file) }

  /// Tries the password's candidates until one decrypts.
  ///
  /// - Throws: `tooManyIterations`; `unsupportedEncryption` if an algorithm is missing; else the
  ///   given failure.
  func unlock<Content>(
    _ lock: PasswordEncryption, else failure: CertificateError,
    _ open: (Passphrase) -> Content?
  ) throws(CertificateError) -> Content {
    try lock.check()
    for passphrase in Passphrase.candidates(for: password) {
      ERR_clear_error()
      if let content = open(passphrase) { return content }
      if OpenSSLErrors.sayUnsupported() { throw .unsupportedEncryption([lock.name]) }
    }
    throw failure
  }
}

extension PasswordEncryption {
  /// Refuses encryption that would keep the CPU busy for minutes, as a malicious file could.
  func check() throws(CertificateError) {
    guard iterations <= Self.maximumIterations else {
      throw .tooManyIterations(iterations)
    }
  }
}

/// A password candidate for a `.p12` or a key.
///
/// No password and an empty one are different keys in PKCS#12, and programs differ in which they
/// use, Keychain included (in RFC 7292 appendix B.1 an empty one ends in two zero bytes).
enum Passphrase {
  case none
  case empty
  case secret(SecretBytes)

  /// The candidates for the password that was given, if any.
  static func candidates(for password: SecretBytes?) -> [Passphrase] {
    guard let password, password.count > 0 else { return [.empty, .none] }
    return [.secret(password)]
  }

  /// Passes it the way OpenSSL takes it: UTF-8 with its length, not null-terminated.
  func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int32) -> Result) -> Result {
    switch self {
    case .none: body(nil, 0)
    case .empty: body("", 0)
    case .secret(let bytes):
      bytes.withBytes { body($0.bindMemory(to: CChar.self).baseAddress, Int32(clamping: $0.count)) }
    }
  }
}
