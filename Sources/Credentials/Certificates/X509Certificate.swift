internal import COpenSSL
internal import PlainText

/// A certificate that OpenSSL has parsed.
///
/// `@unchecked Sendable` because nothing changes it between `init` and `deinit`. OpenSSL locks what
/// it derives from it on first use.
package final class X509Certificate: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// The whole certificate in DER, as sent in a handshake.
  package let der: [UInt8]

  /// Takes ownership of a parsed certificate; nil if given nil, or if it cannot be encoded.
  init?(owning pointer: OpaquePointer?) {
    defer { ERR_clear_error() }
    guard let pointer else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(pointer, &bytes)
    guard count > 0 else {
      X509_free(pointer)
      return nil
    }
    defer { CRYPTO_free(bytes, nil, 0) }
    der = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    self.pointer = pointer
  }

  /// Reads DER, ignoring anything after the certificate.
  package convenience init?(_ bytes: UnsafeRawBufferPointer) {
    self.init(owning: decoded(bytes) { d2i_X509(nil, $0, $1) })
  }

  deinit { X509_free(pointer) }

  /// Passes the pointer to an OpenSSL call.
  func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(pointer) }
  }
}

extension X509Certificate {
  /// The certificate names itself as its issuer, as roots do.
  var isSelfIssued: Bool {
    withPointer { X509_NAME_cmp(X509_get_subject_name($0), X509_get_issuer_name($0)) == 0 }
  }

  /// Checks the issuer by name, key identifier and the right to sign (RFC 5280 section 6.1).
  func isIssued(by issuer: X509Certificate) -> Bool {
    withPointer { subject in
      issuer.withPointer { X509_check_issued($0, subject) == X509_V_OK }
    }
  }

  /// Returns true if the certificate's public key belongs to this private key.
  func matches(_ key: CertificateKey) -> Bool {
    defer { ERR_clear_error() }
    return withPointer { certificate in
      key.withPointer { EVP_PKEY_eq(X509_get0_pubkey(certificate), $0) == 1 }
    }
  }
}

extension X509Certificate {
  private static let pushArc = "1.2.840.113635.100.6.3."

  /// Reads the certificate's contents.
  ///
  /// - Throws: `CertificateError.broken` if its validity cannot be read.
  func facts() throws(CertificateError) -> CertificateFacts {
    guard let validity else { throw .broken(.certificate, .certificate) }
    let kind = commonName.flatMap(CertificateKind.named)
    let marks = PushExtensions(pushExtensions)
    return CertificateFacts(
      commonName: commonName, userID: userID,
      organizationalUnit: subject(NID_organizationalUnitName), topics: marks.topics,
      environments: marks.environments.isEmpty ? kind?.environments ?? [] : marks.environments,
      kind: kind, hasPushExtensions: marks.isPresent, notBefore: validity.notBefore,
      notAfter: validity.notAfter,
      serial: serial, issuer: withPointer { text(X509_get_issuer_name($0), NID_commonName) },
      sha256: sha256(der),
      publicKeySHA256: withPointer { X509_get0_pubkey($0).flatMap(publicKeySHA256) },
      keyKind: withPointer { X509_get0_pubkey($0).map(keyName) } ?? "unknown")
  }

  /// The first and last second of validity, since 1970 UTC; nil if unreadable.
  package var validity: (notBefore: Int64, notAfter: Int64)? {
    withPointer { pointer in
      guard let start = seconds(X509_get0_notBefore(pointer)),
        let end = seconds(X509_get0_notAfter(pointer))
      else { return nil }
      return (start, end)
    }
  }

  /// The subject's common name; nil if it has none.
  package var commonName: String? { subject(NID_commonName) }

  /// The subject's user ID; nil if it has none.
  package var userID: String? { subject(NID_userId) }

  /// SHA-256 of the whole certificate in DER: 32 bytes.
  package var fingerprint: [UInt8] { sha256(der) }

  /// The subject's common name, or a substitute for it in errors.
  var shownName: String { commonName ?? userID ?? serial }

  private func subject(_ id: Int32) -> String? {
    withPointer { text(X509_get_subject_name($0), id) }
  }

  private func text(_ name: OpaquePointer?, _ id: Int32) -> String? {
    let index = X509_NAME_get_index_by_NID(name, id, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index) else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(entry))
    defer {
      CRYPTO_free(bytes, nil, 0)
      ERR_clear_error()
    }
    guard count >= 0 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  private var serial: String {
    withPointer { pointer in
      let number = X509_get0_serialNumber(pointer)
      let bytes = UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(number), count: Int(ASN1_STRING_length(number)))
      return hexadecimal(bytes).uppercased()
    }
  }
}

/// The contents of the extensions in Apple's push arc.
private struct PushExtensions {
  var topics: [CertificateTopic] = []
  var environments: Set<CertificateFacts.Environment> = []
  let isPresent: Bool

  /// Undocumented ones only count as present.
  init(_ values: [X509Certificate.PushExtension]) {
    isPresent = !values.isEmpty
    for value in values { value.bytes.withUnsafeBytes { add(value.number, $0[...]) } }
  }

  private mutating func add(_ number: Int, _ value: DERItem.Bytes) {
    switch number {
    case 1: environments.insert(.sandbox)
    case 2: environments.insert(.production)
    case 4: add(CertificateTopic.voipList(in: value))
    case 6: add(CertificateTopic.list(in: value))
    default: break
    }
  }

  private mutating func add(_ more: [CertificateTopic]) {
    for topic in more where !topics.contains(topic) { topics.append(topic) }
  }
}

extension X509Certificate {
  /// An extension of Apple's push arc, 1.2.840.113635.100.6.3.
  package struct PushExtension: Sendable {
    /// The last number of its ID; 0 if it is deeper in the arc.
    package let number: Int
    /// Its value.
    package let bytes: [UInt8]
  }

  /// The extensions of Apple's push arc, in the certificate's order.
  package var pushExtensions: [PushExtension] {
    withPointer { pointer in
      (0..<max(0, X509_get_ext_count(pointer))).compactMap { index in
        guard let row = X509_get_ext(pointer, index), let number = pushNumber(of: row),
          let value = X509_EXTENSION_get_data(row)
        else { return nil }
        let bytes = UnsafeBufferPointer(
          start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value)))
        return PushExtension(number: Int(number) ?? 0, bytes: Array(bytes))
      }
    }
  }

  /// The last number of an ID in Apple's push arc; nil for other IDs.
  private func pushNumber(of row: OpaquePointer) -> Substring? {
    var text = [CChar](repeating: 0, count: 80)
    OBJ_obj2txt(&text, Int32(text.count), X509_EXTENSION_get_object(row), 1)
    let id = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return id.hasPrefix(Self.pushArc) ? id.dropFirst(Self.pushArc.count) : nil
  }
}

/// The seconds since 1970 UTC; nil if it is not a time.
private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
  guard let time, let origin = ASN1_TIME_set(nil, 0) else { return nil }
  defer {
    ASN1_STRING_free(origin)
    ERR_clear_error()
  }
  var (days, seconds): (Int32, Int32) = (0, 0)
  guard ASN1_TIME_diff(&days, &seconds, origin, time) == 1 else { return nil }
  return Int64(days) * 86_400 + Int64(seconds)
}
