/// The one thing that a key file holds: its DER, and what the file says about it.
struct KeyBlock {
  /// The label of the PEM block; nil for bytes without one.
  let label: String?
  /// How an old PEM block says that it is locked; nil when it does not.
  let lock: String?
  /// The DER, which may be locked.
  let der: SecretBytes

  /// What PEM, DER, or base64 of either holds. Line ends that became blanks or `\n` do not matter.
  ///
  /// - Throws: `SigningKeyError` when it is none of them, or a PEM block that cannot be read.
  init(_ contents: SecretBytes) throws(SigningKeyError) {
    if contents.holdsPEM {
      try self.init(pem: contents)
    } else if !contents.isText {
      self.init(der: contents)
    } else if let decoded = contents.base64Decoded, decoded.holdsPEM || !decoded.isText {
      // Base64 in base64 is nobody's.
      if decoded.holdsPEM { try self.init(pem: decoded) } else { self.init(der: decoded) }
    } else {
      throw SigningKeyError(text: contents)
    }
  }

  private init(der: SecretBytes) { (label, lock, self.der) = (nil, nil, der) }

  private init(pem: SecretBytes) throws(SigningKeyError) {
    guard let block = PEMBlock.first(in: PEMText.unfolded(pem) ?? pem) else {
      let label = PEMText.label(in: pem)
      throw SigningKeyError(label: label ?? "") ?? .broken(label: label)
    }
    if let fault = SigningKeyError(label: block.label) { throw fault }
    (label, lock, der) = (block.label, block.lock, block.bytes)
  }
}

extension SigningKeyError {
  /// What is wrong with a PEM block of this label; nil for keys that may be the right ones.
  fileprivate init?(label: String) {
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
