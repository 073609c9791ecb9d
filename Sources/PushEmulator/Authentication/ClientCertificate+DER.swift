internal import COpenSSL

// Where a push certificate keeps what: the extensions of Apple's arc 1.2.840.113635.100.6.3.
extension ClientCertificate {
  private static let apple = "1.2.840.113635.100.6.3"

  /// Reads a certificate in DER.
  init(der: [UInt8]) throws(CertificateFault) {
    guard let certificate = PresentedCertificate(der), let validity = certificate.validity else {
      throw .unreadable
    }
    commonName = certificate.subject(NID_commonName)
    let userID = certificate.subject(NID_userId)
    let listed = Self.topics(listedIn: certificate)
    topics =
      listed?.isEmpty == true ? Self.topics(commonName: commonName, userID: userID) : listed
    environments = Set(
      [(".1", EmulatorEnvironment.sandbox), (".2", .production)]
        .filter { certificate.extension(Self.apple + $0.0) != nil }.map(\.1))
    (notBefore, notAfter) = validity
    fingerprint = sha256(der)
  }

  /// The topics of both lists, the general one and that of VoIP; nil when one is broken.
  private static func topics(listedIn certificate: borrowing PresentedCertificate) -> [String]? {
    var all: [String] = []
    for arc in [".6", ".4"] {
      guard let value = certificate.extension(apple + arc) else { continue }
      guard let topics = try? topics(inExtension: value) else { return nil }
      all += topics.filter { !all.contains($0) }
    }
    return all
  }

  /// The topics of an extension: a text with commas, or a sequence in which each topic may be
  /// followed by a sequence of labels.
  static func topics(inExtension value: [UInt8]) throws(DERReader.Broken) -> [String] {
    var reader = DERReader(value)
    guard let outer = try reader.next(), try reader.next() == nil else { throw .init() }
    guard outer.tag == DERReader.Element.sequence else { return try topics(in: outer) }
    var elements = DERReader(outer.content)
    var all: [String] = []
    while let element = try elements.next() {
      if element.tag != DERReader.Element.sequence { all += try topics(in: element) }
    }
    return all
  }

  private static func topics(
    in element: DERReader.Element
  ) throws(DERReader.Broken) -> [String] {
    guard let text = element.text else { throw .init() }
    return text.split(separator: ",").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }
}

private func sha256(_ bytes: [UInt8]) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
    count = SHA256(bytes, bytes.count, digest.baseAddress) == nil ? 0 : digest.count
  }
}
