/// The reason one side of a TLS connection gave the other for ending it (RFC 8446 section 6).
///
/// An open set: alerts without a name here are preserved.
public struct TLSAlert: RawRepresentable, Sendable, Hashable {
  /// The number on the wire.
  public let rawValue: UInt8

  /// Creates the alert with this number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No common set of parameters; up to TLS 1.2 also: a client certificate is missing.
  public static let handshakeFailure = TLSAlert(rawValue: 40)
  /// The certificate is corrupt, or its signature does not verify.
  public static let badCertificate = TLSAlert(rawValue: 42)
  /// The certificate is of an unsupported type.
  public static let unsupportedCertificate = TLSAlert(rawValue: 43)
  /// The certificate's issuer has revoked it.
  public static let certificateRevoked = TLSAlert(rawValue: 44)
  /// The certificate has expired or is not currently valid.
  public static let certificateExpired = TLSAlert(rawValue: 45)
  /// The certificate is not acceptable for some other reason.
  public static let certificateUnknown = TLSAlert(rawValue: 46)
  /// The certificate's issuer is not trusted.
  public static let unknownAuthority = TLSAlert(rawValue: 48)
  /// The certificate is valid, but its owner is denied access.
  public static let accessDenied = TLSAlert(rawValue: 49)
  /// A signature in the handshake does not verify.
  public static let decryptError = TLSAlert(rawValue: 51)
  /// None of the protocol versions is supported.
  public static let protocolVersion = TLSAlert(rawValue: 70)
  /// The peer requires a client certificate and got none.
  public static let certificateRequired = TLSAlert(rawValue: 116)
  /// The peer supports none of the offered application protocols (RFC 7301 section 3.2).
  public static let noApplicationProtocol = TLSAlert(rawValue: 120)

  /// The name in the specification, for example `certificate_expired`; otherwise `alert 99`.
  public var name: String { Self.names[self] ?? "alert \(rawValue)" }

  private static let names: [TLSAlert: String] = [
    .handshakeFailure: "handshake_failure", .badCertificate: "bad_certificate",
    .unsupportedCertificate: "unsupported_certificate", .certificateRevoked: "certificate_revoked",
    .certificateExpired: "certificate_expired", .certificateUnknown: "certificate_unknown",
    .unknownAuthority: "unknown_ca", .accessDenied: "access_denied",
    .decryptError: "decrypt_error", .protocolVersion: "protocol_version",
    .certificateRequired: "certificate_required",
    .noApplicationProtocol: "no_application_protocol",
  ]

  /// True if a server that sends it always means the client's certificate.
  var isAboutCertificate: Bool {
    switch self {
    case .badCertificate, .unsupportedCertificate, .certificateRevoked, .certificateExpired,
      .certificateUnknown, .unknownAuthority, .accessDenied, .certificateRequired:
      true
    default: false
    }
  }
}
