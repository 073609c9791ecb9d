internal import APNS

/// The way a client authenticates, decided once in the TLS handshake.
enum ClientAuthentication: Sendable, Hashable {
  /// A provider token in each request.
  case providerToken
  /// A certificate that APNs would accept.
  case certificate(PresentedCertificate)
  /// A certificate that APNs would refuse, with its common name if readable.
  case badCertificate(CertificateFault, commonName: String?)

  /// Judges the client's certificate, if any.
  ///
  /// - Parameters:
  ///   - certificate: the client's certificate in DER; nil if it presented none.
  ///   - configuration: the source of clock and environment.
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

  /// The kind of credentials, in the terms of the rules.
  var method: Authentication { self == .providerToken ? .token : .certificate }

  /// The topics that may be pushed to; nil if no certificate limits them.
  var topics: [String]? {
    if case .certificate(let certificate) = self { certificate.topics } else { nil }
  }

  /// The certificate's name in the journal: its common name, empty if it has none; nil without a
  /// certificate.
  var certificateName: String? {
    switch self {
    case .providerToken: nil
    case .certificate(let certificate): certificate.commonName ?? ""
    case .badCertificate(_, let name): name ?? ""
    }
  }
}
