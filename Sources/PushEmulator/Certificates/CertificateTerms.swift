/// What the emulator's server certificate says. The default is a good one; tests ask for bad ones.
public struct CertificateTerms: Sendable, Hashable {
  /// Who signs the certificate.
  public enum Issuer: Sendable, Hashable {
    /// The emulator's own authority, whose certificate clients are given.
    case authority
    /// The certificate's own key: no client has a reason to trust it.
    case itself
  }

  /// The host names and addresses it is good for.
  public var names: [String]

  /// From when it is valid, in seconds relative to now by the system's clock.
  public var validFrom: Int

  /// Until when it is valid, in seconds relative to now by the system's clock.
  public var validUntil: Int

  /// Who signs it.
  public var issuer: Issuer

  /// Terms; unless said otherwise good for 127.0.0.1, ::1 and localhost, from an hour ago, so that
  /// a client whose clock is behind takes it, until a week from now.
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
