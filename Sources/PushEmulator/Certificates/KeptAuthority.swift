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
