internal import APNS

/// A defect of a client certificate. APNs has two reasons for all of them; the texts are for the
/// journal.
enum CertificateFault: String, Error, Sendable, Hashable {
  case unreadable = "the certificate cannot be read"
  case brokenTopics = "the certificate's list of topics is broken"
  case noTopic = "the certificate has no topic, so it is not a push certificate"
  case refused = "this emulator is configured to refuse the certificate"
  case notYetValid = "the certificate is not valid yet"
  case expired = "the certificate has expired"
  case otherEnvironment = "the certificate is not for this environment"

  /// The reason APNs gives.
  var reason: Reason { self == .otherEnvironment ? .badCertificateEnvironment : .badCertificate }
}
