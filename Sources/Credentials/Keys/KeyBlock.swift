/// The one thing that a key file holds: its DER, and what the file says about it.
struct KeyBlock {
  /// The label of the PEM block; nil for bytes without one.
  let label: String?
  /// The lock of an old PEM block; nil when it has none.
  let lock: PEMLock?
  /// How the file spells it.
  let encoding: PrivateKeyFacts.Encoding
  /// The DER, which may be locked.
  let der: SecretBytes

  /// What PEM, DER, or base64 of either holds. Line ends that became blanks or `\n` do not matter.
  ///
  /// - Throws: `SigningKeyError` when it is none of them, or a PEM block that cannot be read, or
  ///   whose label says that it is no key that signs.
  init(_ contents: SecretBytes) throws(SigningKeyError) {
    let block = try KeyBlock(ofAnyKind: contents)
    if let fault = block.label.flatMap({ SigningKeyError(label: $0) }) { throw fault }
    self = block
  }

  /// The same, whatever the label of a PEM block says.
  init(ofAnyKind contents: SecretBytes) throws(SigningKeyError) {
    if contents.holdsPEM {
      try self.init(pem: contents, .pem)
    } else if !contents.isText {
      self.init(der: contents, .der)
    } else if let decoded = contents.base64Decoded, decoded.holdsPEM || !decoded.isText {
      // Base64 in base64 is not read.
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
  /// What is wrong with a PEM block of this label; nil for keys that may be the right ones.
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

  /// What a text without PEM is instead.
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
