internal import COpenSSL

/// A block of a PEM text. Its bytes are wiped when it goes.
final class CertificatePEM {
  /// What it says it is, for example `CERTIFICATE`.
  let label: String

  /// The lines between the label and the bytes, which tell how a key in the oldest form is locked
  /// (RFC 1421 section 4.6.1).
  private let header: UnsafeMutablePointer<CChar>?
  private let bytes: UnsafeMutablePointer<UInt8>?
  private let capacity: Int
  private var count: Int

  /// The next block of a text; nil when there is none, or it is broken.
  init?(nextOf text: OpaquePointer?) {
    var (name, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard PEM_read_bio(text, &name, &header, &bytes, &count) == 1 else { return nil }
    label = name.map { String(cString: $0) } ?? ""
    CRYPTO_free(name, nil, 0)
    (self.header, self.bytes, self.capacity, self.count) = (header, bytes, count, count)
  }

  deinit {
    CRYPTO_free(header, nil, 0)
    CRYPTO_clear_free(bytes, capacity, nil, 0)
  }

  /// Offers the bytes, which are DER unless they are locked.
  func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withExtendedLifetime(self) { () throws(Failure) in
      try body(UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }
}

extension CertificatePEM {
  /// How it is locked, for example `DES-EDE3-CBC`; nil when it is not, or in PKCS#8's way.
  var lock: String? {
    let text = header.map { String(cString: $0) } ?? ""
    guard text.contains("ENCRYPTED"), let name = text.firstRange(of: "DEK-Info:") else {
      return nil
    }
    return String(text[name.upperBound...].drop { $0 == " " }.prefix { $0 != "," && !$0.isNewline })
  }

  /// Unlocks it in place. A wrong password goes unnoticed once in some hundred times.
  ///
  /// - Returns: whether it opened; if not, OpenSSL's queue may say more. Not to be tried again.
  func unlock(with password: SecretBytes) -> Bool {
    var cipher = EVP_CIPHER_INFO()
    guard PEM_get_EVP_CIPHER_INFO(header, &cipher) == 1 else { return false }
    return password.withBytes { password in
      var password = password
      return PEM_do_header(&cipher, bytes, &count, copyPassword, &password) == 1
    }
  }
}

/// What OpenSSL calls for the password: it is copied into a buffer that OpenSSL wipes.
private func copyPassword(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _: Int32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let buffer, let context else { return -1 }
  let password = context.load(as: UnsafeRawBufferPointer.self)
  guard password.count <= Int(size) else { return -1 }
  UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)).copyMemory(from: password)
  return Int32(password.count)
}

extension CredentialReader {
  /// Reads the blocks of a PEM text, whatever stands between them.
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

  private func blocks(of contents: SecretBytes) throws(CertificateError) -> [CertificatePEM] {
    let text = PEMText.unfolded(contents) ?? contents
    let (blocks, isWhole) = text.withBytes { bytes in
      let text = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
      defer { BIO_free(text) }
      var blocks: [CertificatePEM] = []
      while let block = CertificatePEM(nextOf: text) { blocks.append(block) }
      return (blocks, OpenSSLErrors.sayEndOfPEM())
    }
    guard isWhole, !blocks.isEmpty else { throw .broken(.pem, file) }
    return blocks
  }

  private func add(
    _ block: CertificatePEM, _ kind: CredentialKind, to parts: inout CredentialParts
  ) throws(CertificateError) {
    guard let lock = block.lock else {
      return try block.withBytes { (bytes) throws(CertificateError) in
        try add(kind, bytes, to: &parts)
      }
    }
    if takesKeys { parts.keys.append(try unlocked(block, lock)) }
  }

  private func unlocked(
    _ block: CertificatePEM, _ lock: String
  ) throws(CertificateError) -> CertificateKey {
    guard let password else { throw .needsPassword(file) }
    ERR_clear_error()
    guard block.unlock(with: password), let key = block.withBytes({ CertificateKey($0) }) else {
      throw OpenSSLErrors.sayUnsupported() ? .unsupportedEncryption([lock]) : .wrongPassword(file)
    }
    return key
  }
}
