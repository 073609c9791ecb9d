internal import APNS

/// What an emulator needs to know of the certificate that a client showed.
struct ClientCertificate: Sendable, Hashable {
  /// The subject's common name; nil when it has none.
  let commonName: String?
  /// What it may push to; nil when its list of topics is broken.
  let topics: [String]?
  /// The environments that it names; empty when it names none, and then it is for both.
  let environments: Set<EmulatorEnvironment>
  /// The first second in which it is valid, since 1970.
  let notBefore: Int
  /// The last second in which it is valid, since 1970.
  let notAfter: Int
  /// The SHA-256 of its DER.
  let fingerprint: [UInt8]

  /// The prefix of the common name of the kind that is good for an app in both environments.
  static let universalPrefix = "Apple Push Services: "

  /// The topics of a certificate that lists none: its user ID, and with the universal kind those of
  /// the app's VoIP and complication pushes.
  static func topics(commonName: String?, userID: String?) -> [String] {
    guard let userID, !userID.isEmpty else { return [] }
    guard commonName?.hasPrefix(universalPrefix) == true else { return [userID] }
    return PushType.table.filter(\.isInUniversalCertificate).map { userID + $0.suffix }
  }

  /// Why APNs would not take it; nil when it would.
  func fault(
    at now: Double, in environment: EmulatorEnvironment, refusing refused: Set<[UInt8]>
  ) -> CertificateFault? {
    guard let topics else { return .brokenTopics }
    if topics.isEmpty { return .noTopic }
    if refused.contains(fingerprint) { return .refused }
    if now < Double(notBefore) { return .notYetValid }
    if now >= Double(notAfter) + 1 { return .expired }
    let isForIt = environments.isEmpty || environments.contains(environment)
    return isForIt ? nil : .otherEnvironment
  }
}
