internal import APNS

/// How the client of a connection authenticates. The TLS handshake decides it, once.
enum ClientAuthentication: Sendable, Hashable {
  /// With a provider token in each request.
  case providerToken
  /// With a certificate that APNs would take.
  case certificate(PresentedCertificate)
  /// With a certificate that APNs would not take; its common name, if it can be read.
  case badCertificate(CertificateFault, commonName: String?)

  /// Judges what a client showed in the handshake.
  ///
  /// - Parameters:
  ///   - certificate: the client's certificate in DER; nil when it showed none.
  ///   - configuration: whose clock and environment count.
  init(_ certificate: [UInt8]?, _ configuration: EmulatorConfiguration) {
    guard let certificate else {
      self = .providerToken
      return
    }
    do throws(CertificateFault) {
      let certificate = try PresentedCertificate(der: certificate)
      let fault = certificate.fault(
        at: configuration.time, in: configuration.environment,
        refusing: configuration.refusedCertificates)
      self =
        fault.map { .badCertificate($0, commonName: certificate.commonName) }
        ?? .certificate(certificate)
    } catch {
      self = .badCertificate(error, commonName: nil)
    }
  }

  /// The kind of credentials, as the rules have it.
  var method: Authentication { self == .providerToken ? .token : .certificate }

  /// The topics that may be pushed to; nil when the certificate, if any, does not limit them.
  var topics: [String]? {
    if case .certificate(let certificate) = self { certificate.topics } else { nil }
  }

  /// What the journal calls the certificate: its common name, empty when it has none; nil when
  /// there is no certificate.
  var certificateName: String? {
    switch self {
    case .providerToken: nil
    case .certificate(let certificate): certificate.commonName ?? ""
    case .badCertificate(_, let name): name ?? ""
    }
  }
}
