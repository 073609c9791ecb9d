internal import Credentials

extension FuzzTarget {
  /// A `.p12` or PEM file, with the right password and without one.
  static let clientCertificate = FuzzTarget("ClientCertificate") { bytes in
    let contents = bytes.withUnsafeBytes { SecretBytes(copying: $0) }
    for password in [nil, SecretBytes("swordfish")] {
      guard let certificate = try? ClientCertificate.load(contents, password: password) else {
        continue
      }
      try expectUsable(certificate)
      if certificate.encryption != nil {
        let isSeen = (try? PKCS12Encryption(contents: contents)) != nil
        try expect(isSeen || CredentialKind(of: contents) != .pkcs12, "the locks can be read")
      }
    }
    for facts in (try? CertificateFacts.list(in: contents)) ?? [] {
      try expect(facts.sha256.count == 32, "a fingerprint has 32 bytes")
    }
    _ = try? PKCS12Encryption(contents: contents)
  }

  private static func expectUsable(_ certificate: ClientCertificate) throws {
    let leaf = try CertificateFacts(der: certificate.certificatesDER[0])
    try expect(leaf == certificate.facts, "a certificate that is written reads as it was")
    let count = certificate.withKeyDER { $0.count }
    try expect(count > 0, "a certificate has its key")
  }
}
