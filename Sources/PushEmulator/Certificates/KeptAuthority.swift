/// A certificate authority that is kept from emulator to emulator, so that clients need to trust it
/// only once.
public struct KeptAuthority: Sendable {
  /// How long one is valid, in seconds: a year.
  static let lifetime = 365 * 86_400
  /// How long one must still be valid, in seconds: a day, which an emulator may run.
  private static let margin = 86_400

  /// Its certificate in PEM: what clients trust.
  public let certificate: [UInt8]
  /// Its private key, PKCS#8 in DER: whoever has it can pose as any server to those clients.
  public let key: [UInt8]

  /// One that was kept; nil when it is damaged, or no longer valid for a day.
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
  /// Never the key.
  public var description: String { "KeptAuthority" }
  /// Never the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
