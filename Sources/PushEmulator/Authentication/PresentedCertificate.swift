internal import APNS
internal import Credentials

/// The emulator's view of a client certificate.
struct PresentedCertificate: Sendable, Hashable {
  /// The subject's common name; nil if it has none.
  let commonName: String?
  /// The topics it may push to; nil if its list of topics is malformed.
  let topics: [String]?
  /// The environments it names; if empty, it is for both.
  let environments: Set<EmulatorEnvironment>
  /// The first second of its validity, since 1970.
  let notBefore: Int
  /// The last second of its validity, since 1970.
  let notAfter: Int
  /// The SHA-256 of its DER.
  let fingerprint: [UInt8]

  /// The reason APNs would refuse it; nil if APNs would accept it.
  func fault(
    at now: Double, in environment: EmulatorEnvironment, refusing refused: Set<[UInt8]>
  ) -> ClientCertificateFault? {
    guard let topics else { return .brokenTopics }
    if topics.isEmpty { return .noTopic }
    if refused.contains(fingerprint) { return .refused }
    if now < Double(notBefore) { return .notYetValid }
    if now >= Double(notAfter) + 1 { return .expired }
    let isForIt = environments.isEmpty || environments.contains(environment)
    return isForIt ? nil : .otherEnvironment
  }
}

// Reading a push certificate: the extensions in Apple's push arc.
extension PresentedCertificate {
  /// Reads a certificate in DER.
  init(der: [UInt8]) throws(ClientCertificateFault) {
    guard let certificate = der.withUnsafeBytes({ X509Certificate($0) }),
      let validity = certificate.validity
    else { throw .unreadable }
    let extensions = certificate.pushExtensions
    commonName = certificate.commonName
    let listed = Self.topics(listedIn: extensions)
    topics =
      listed?.isEmpty == true
      ? CertificateKind.topics(
        of: commonName.flatMap(CertificateKind.named), userID: certificate.userID) : listed
    environments = Set(
      [(1, EmulatorEnvironment.sandbox), (2, .production)]
        .filter { number, _ in extensions.contains { $0.number == number } }.map(\.1))
    (notBefore, notAfter) = (Int(validity.notBefore), Int(validity.notAfter))
    fingerprint = certificate.fingerprint
  }

  /// The topics of the general and the VoIP list; nil if either is malformed.
  private static func topics(listedIn extensions: [X509Certificate.PushExtension]) -> [String]? {
    var all: [String] = []
    for number in [6, 4] {
      guard let list = extensions.first(where: { $0.number == number }) else { continue }
      guard let topics = topics(inExtension: list.bytes) else { return nil }
      all += topics.filter { !all.contains($0) }
    }
    return all
  }

  /// The topics of an extension: comma-separated text, or a sequence in which each topic may be
  /// followed by a sequence of labels; nil for anything else.
  static func topics(inExtension value: [UInt8]) -> [String]? {
    value.withUnsafeBytes { bytes in
      guard let items = DERItem.wholeItems(in: bytes[...]), items.count == 1 else { return nil }
      guard items[0].tag == DERItem.sequence else { return topics(in: items) }
      return DERItem.wholeItems(in: items[0].content).flatMap { elements in
        topics(in: elements.filter { $0.tag != DERItem.sequence })
      }
    }
  }

  private static func topics(in texts: [DERItem]) -> [String]? {
    var all: [String] = []
    for item in texts {
      guard let text = item.text else { return nil }
      all += text.split(separator: ",").map { String($0.drop { $0 == " " }) }.filter { $0 != "" }
    }
    return all
  }
}

/// A defect of a client certificate. APNs has two reasons for all of them; the texts are for the
/// journal.
enum ClientCertificateFault: String, Error, Sendable, Hashable {
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
