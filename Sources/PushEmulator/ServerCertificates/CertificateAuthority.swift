internal import COpenSSL

/// A certificate authority. Each emulator creates its own, whose key never leaves memory, unless
/// one is kept and reused.
struct CertificateAuthority: ~Copyable {
  /// A certificate and its private key for the TLS server.
  struct Identity: Sendable {
    /// The certificate in DER.
    let certificate: [UInt8]
    /// The key, as PKCS#8 in DER.
    let key: [UInt8]
  }

  static let lifetime = 30 * 86_400
  private let key: GeneratedKey
  private let certificate: Certificate

  /// Creates an authority that is valid from a day ago, for a month by default.
  init(lifetime: Int = lifetime) throws(OpenSSLFailure) {
    let key = try GeneratedKey()
    let certificate = try Self.root(key, lifetime)
    self.key = key
    self.certificate = certificate
  }

  /// Loads a kept authority.
  init(_ kept: KeptAuthority) throws(OpenSSLFailure) {
    let key = try GeneratedKey(pkcs8: kept.key)
    let certificate = try Certificate(pem: kept.certificate)
    self.key = key
    self.certificate = certificate
  }

  /// The authority in a form to keep.
  func kept() throws(OpenSSLFailure) -> KeptAuthority {
    KeptAuthority(certificate: Array(try pem().utf8), key: try key.pkcs8())
  }

  /// Returns true if the key matches and the certificate is valid for this many more seconds.
  func isGood(seconds: Int) -> Bool { certificate.isGood(for: key, seconds: seconds) }

  private static func root(
    _ key: borrowing GeneratedKey, _ lifetime: Int
  ) throws(OpenSSLFailure) -> Certificate {
    let root = try Certificate()
    // The name is unique, so a client that trusts an earlier emulator's authority sees an unknown
    // issuer and not a bad signature.
    let name = "fanfare emulator authority \(UInt32.random(in: .min ... .max))"
    try root.fill(
      commonName: name, key: key, validFrom: -86_400, validUntil: lifetime)
    try root.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
    try root.add(NID_key_usage, "critical,keyCertSign")
    // Clients that check strictly, as Python does since 3.13, want keys named (RFC 5280 section 4.2.1).
    try root.add(NID_subject_key_identifier, "hash")
    try root.sign(asIssuer: root.pointer, with: key)
    return root
  }

  /// The authority's certificate in PEM, for clients to trust.
  func pem() throws(OpenSSLFailure) -> String { try certificate.pem() }

  /// Issues a server certificate with its own key.
  func issue(_ terms: CertificateTerms) throws(OpenSSLFailure) -> Identity {
    let key = try GeneratedKey()
    let leaf = try Certificate()
    try leaf.fill(
      commonName: "fanfare emulator", key: key, validFrom: terms.validFrom,
      validUntil: terms.validUntil)
    try leaf.add(NID_basic_constraints, "critical,CA:FALSE")
    try leaf.add(NID_ext_key_usage, "serverAuth")
    try leaf.add(NID_subject_alt_name, terms.names.map(Self.subject).joined(separator: ","))
    try leaf.add(NID_subject_key_identifier, "hash")
    let issuer = terms.issuer == .authority ? certificate.pointer : leaf.pointer
    try leaf.add(NID_authority_key_identifier, "keyid", issuer: issuer)
    switch terms.issuer {
    case .authority: try leaf.sign(asIssuer: issuer, with: self.key)
    case .itself: try leaf.sign(asIssuer: issuer, with: key)
    }
    return Identity(certificate: try leaf.der(), key: try key.pkcs8())
  }

  /// A name in OpenSSL's notation. A comma would start another name, so commas are dropped.
  private static func subject(_ name: String) -> String {
    let name = name.filter { $0 != "," }
    let isAddress = name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
    return (isAddress ? "IP:" : "DNS:") + name
  }
}

/// A certificate authority that successive emulators share, so clients need to trust it only once.
public struct KeptAuthority: Sendable {
  /// The lifetime of a new one, in seconds: a year.
  static let lifetime = 365 * 86_400
  /// The minimum remaining validity, in seconds: a day, as long as an emulator may run.
  private static let margin = 86_400

  /// The certificate in PEM, for clients to trust.
  public let certificate: [UInt8]
  /// The private key, as PKCS#8 in DER: its holder can pose as any server to those clients.
  public let key: [UInt8]

  /// Loads an authority; nil if it is damaged, or valid for less than a day.
  public init?(certificate: [UInt8], stillGoodWith key: [UInt8]) {
    self.init(certificate: certificate, key: key)
    guard let authority = try? CertificateAuthority(self),
      authority.isGood(seconds: Self.margin)
    else { return nil }
  }

  init(certificate: [UInt8], key: [UInt8]) {
    (self.certificate, self.key) = (certificate, key)
  }
}

extension KeptAuthority: CustomStringConvertible, CustomReflectable {
  /// A description without the key.
  public var description: String { "KeptAuthority" }
  /// A description without the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A failed OpenSSL call, which here means that memory ran out or the library is unusable.
struct OpenSSLFailure: Error, Sendable, Hashable {
  /// The function that failed.
  let call: String
  /// OpenSSL's own message; empty if it has none.
  let detail: String

  /// Takes the message from the newest entry of this thread's error queue, and empties the queue.
  init(_ call: String) {
    self.call = call
    detail = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? ""
    ERR_clear_error()
  }
}

/// Returns the pointer, or throws if it is null.
func made(
  _ pointer: OpaquePointer?, by call: String
) throws(OpenSSLFailure) -> OpaquePointer {
  guard let pointer else { throw OpenSSLFailure(call) }
  return pointer
}

/// Throws unless the result is positive, which is how OpenSSL reports success.
func expect(_ result: Int32, from call: String) throws(OpenSSLFailure) {
  if result <= 0 { throw OpenSSLFailure(call) }
}

/// The DER that an `i2d` function writes. It is called once to measure and once to write.
func derBytes(
  _ call: String, _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(OpenSSLFailure) -> [UInt8] {
  let count = encode(nil)
  try expect(count, from: call)
  return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
    var next = buffer.baseAddress
    written = max(0, Int(encode(&next)))
  }
}
