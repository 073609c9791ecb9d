internal import COpenSSL

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
