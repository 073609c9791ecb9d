internal import COpenSSL

/// A certificate authority, made anew for each emulator unless somebody keeps it. Otherwise its keys
/// never leave memory.
struct CertificateAuthority: ~Copyable {
  /// A certificate and its private key, as the TLS server takes them.
  struct Identity: Sendable {
    /// The certificate in DER.
    let certificate: [UInt8]
    /// The key, PKCS#8 in DER.
    let key: [UInt8]
  }

  static let lifetime = 30 * 86_400
  private let key: PrivateKey
  private let certificate: Certificate

  /// An authority that is valid from a day ago, by default for a month.
  init(lifetime: Int = lifetime) throws(OpenSSLFailure) {
    let key = try PrivateKey()
    let certificate = try Self.root(key, lifetime)
    self.key = key
    self.certificate = certificate
  }

  /// One that was kept.
  init(_ kept: KeptAuthority) throws(OpenSSLFailure) {
    let key = try PrivateKey(pkcs8: kept.key)
    let certificate = try Certificate(pem: kept.certificate)
    self.key = key
    self.certificate = certificate
  }

  /// What has to be kept of it.
  func kept() throws(OpenSSLFailure) -> KeptAuthority {
    KeptAuthority(certificate: Array(try pem().utf8), key: try key.pkcs8())
  }

  /// Whether its key fits, and it is valid for so many seconds more.
  func isGood(seconds: Int) -> Bool { certificate.isGood(for: key, seconds: seconds) }

  private static func root(
    _ key: borrowing PrivateKey, _ lifetime: Int
  ) throws(OpenSSLFailure) -> Certificate {
    let root = try Certificate()
    // A name of its own: to a client with an earlier emulator's authority this one is a stranger,
    // and not a forger.
    let name = "fanfare emulator authority \(UInt32.random(in: .min ... .max))"
    try root.fill(
      commonName: name, key: key, validFrom: -86_400, validUntil: lifetime)
    try root.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
    try root.add(NID_key_usage, "critical,keyCertSign")
    try root.sign(asIssuer: root.pointer, with: key)
    return root
  }

  /// The authority's certificate in PEM: what a client has to trust.
  func pem() throws(OpenSSLFailure) -> String { try certificate.pem() }

  /// A server certificate on these terms, with a key of its own.
  func issue(_ terms: CertificateTerms) throws(OpenSSLFailure) -> Identity {
    let key = try PrivateKey()
    let leaf = try Certificate()
    try leaf.fill(
      commonName: "fanfare emulator", key: key, validFrom: terms.validFrom,
      validUntil: terms.validUntil)
    try leaf.add(NID_basic_constraints, "critical,CA:FALSE")
    try leaf.add(NID_ext_key_usage, "serverAuth")
    try leaf.add(NID_subject_alt_name, terms.names.map(Self.subject).joined(separator: ","))
    switch terms.issuer {
    case .authority: try leaf.sign(asIssuer: certificate.pointer, with: self.key)
    case .itself: try leaf.sign(asIssuer: leaf.pointer, with: key)
    }
    return Identity(certificate: try leaf.der(), key: try key.pkcs8())
  }

  /// A name as OpenSSL's notation has it. A comma would begin another name, so it is left out.
  private static func subject(_ name: String) -> String {
    let name = name.filter { $0 != "," }
    let isAddress = name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
    return (isAddress ? "IP:" : "DNS:") + name
  }
}
