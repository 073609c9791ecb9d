/// The contents of a key file: its DER and how the file presents it.
struct KeyBlock {
  /// The label of the PEM block; nil for bytes without one.
  let label: String?
  /// The encryption of an old PEM block; nil if it has none.
  let lock: PEMLock?
  /// The file's encoding.
  let encoding: PrivateKeyFacts.Encoding
  /// The DER, possibly encrypted.
  let der: SecretBytes

  /// Reads PEM, DER, or base64 of either. Line breaks may have become blanks or `\n`.
  ///
  /// - Throws: `SigningKeyError` if it is none of these, or a PEM block is unreadable or has a
  ///   label that rules out a signing key.
  init(_ contents: SecretBytes) throws(SigningKeyError) {
    let block = try KeyBlock(ofAnyKind: contents)
    if let fault = block.label.flatMap({ SigningKeyError(label: $0) }) { throw fault }
    self = block
  }

  /// The same, for any label of a PEM block.
  init(ofAnyKind contents: SecretBytes) throws(SigningKeyError) {
    if contents.holdsPEM {
      try self.init(pem: contents, .pem)
    } else if !contents.isText {
      self.init(der: contents, .der)
    } else if let decoded = contents.base64Decoded, decoded.holdsPEM || !decoded.isText {
      // Base64 inside base64 is not supported.
      if decoded.holdsPEM {
        try self.init(pem: decoded, .base64)
      } else {
        self.init(der: decoded, .base64)
      }
    } else {
      throw SigningKeyError(text: contents)
    }
  }

  private init(der: SecretBytes, _ encoding: PrivateKeyFacts.Encoding) {
    (label, lock, self.der, self.encoding) = (nil, nil, der, encoding)
  }

  private init(
    pem: SecretBytes, _ encoding: PrivateKeyFacts.Encoding
  ) throws(SigningKeyError) {
    guard let block = PEMBlock.first(in: PEMText.unfolded(pem) ?? pem) else {
      let label = PEMText.label(in: pem)
      throw SigningKeyError(label: label ?? "") ?? .broken(label: label)
    }
    (label, lock, der) = (block.label, block.lock, block.bytes)
    self.encoding = encoding
  }
}

extension SigningKeyError {
  /// The error for a PEM block with this label; nil if it may be a usable key.
  init?(label: String) {
    switch label {
    case "PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY": return nil
    case "RSA PRIVATE KEY": self = .wrongAlgorithm("RSA")
    case "DSA PRIVATE KEY": self = .wrongAlgorithm("DSA")
    case "OPENSSH PRIVATE KEY": self = .sshKey
    case "PUBLIC KEY", "RSA PUBLIC KEY", "EC PUBLIC KEY": self = .publicKey
    case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": self = .certificate
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self = .certificateRequest
    default: self = .wrongBlock(label: label)
    }
  }

  /// The error for text without PEM.
  fileprivate init(text: SecretBytes) {
    self = text.withBytes { text in
      let text = text.trimmed
      if text.isEmpty { return .empty }
      if text.first == UInt8(ascii: "<") { return .webPage }
      let isToken = text.starts(with: "eyJ".utf8) && text.count { $0 == UInt8(ascii: ".") } == 2
      if isToken { return .providerToken }
      let ssh = ["ssh-", "ecdsa-sha2-", "sk-", "PuTTY-User-Key-File", "---- BEGIN SSH2"]
      return ssh.contains { text.starts(with: $0.utf8) } ? .sshKey : .notPEM
    }
  }
}
