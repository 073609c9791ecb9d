/// The contents of the emulator's server certificate. The default is valid; tests ask for bad ones.
public struct CertificateTerms: Sendable, Hashable {
  /// The signer of the certificate.
  public enum Issuer: Sendable, Hashable {
    /// The emulator's own authority, whose certificate clients receive.
    case authority
    /// The certificate's own key, which no client has a reason to trust.
    case itself
  }

  /// The host names and addresses it is valid for.
  public var names: [String]

  /// The start of its validity, in seconds relative to now by the system's clock.
  public var validFrom: Int

  /// The end of its validity, in seconds relative to now by the system's clock.
  public var validUntil: Int

  /// The signer.
  public var issuer: Issuer

  /// Creates terms. By default they cover 127.0.0.1, ::1 and localhost, from an hour ago (for
  /// clients whose clock is behind) until a week from now.
  public init(
    names: [String] = ["127.0.0.1", "::1", "localhost"], validFrom: Int = -3600,
    validUntil: Int = 7 * 86_400, issuer: Issuer = .authority
  ) {
    self.names = names
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.issuer = issuer
  }
}
