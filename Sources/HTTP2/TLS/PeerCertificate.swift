internal import COpenSSL
internal import POSIX

/// The contents of a certificate presented by a server. Its texts are untrusted: escape them before
/// they reach a terminal.
public struct PeerCertificate: Sendable, Hashable {
  /// The subject on one line: `CN = api.push.apple.com, O = Apple Inc.`
  public var subject: String

  /// The last common name of the subject; nil if it has none.
  public var commonName: String?

  /// The issuer on one line.
  public var issuer: String

  /// The last common name of the issuer; nil if it has none.
  public var issuerCommonName: String?

  /// The start of the validity period, in seconds since 1970.
  public var notBefore: Int64

  /// The end of the validity period, in seconds since 1970.
  public var notAfter: Int64

  /// The SHA-256 digest of the DER form: 32 bytes.
  public var sha256: [UInt8]
}

extension PeerCertificate {
  /// Extracts the contents of an `X509`.
  init(_ certificate: OpaquePointer) {
    let subject = X509_get_subject_name(certificate)
    let issuer = X509_get_issuer_name(certificate)
    self.init(
      subject: line(of: subject), commonName: lastCommonName(of: subject),
      issuer: line(of: issuer), issuerCommonName: lastCommonName(of: issuer),
      notBefore: seconds(X509_get0_notBefore(certificate)),
      notAfter: seconds(X509_get0_notAfter(certificate)), sha256: digest(of: certificate))
  }
}

private func line(of name: OpaquePointer?) -> String {
  guard let name, let memory = BIO_new(BIO_s_mem()) else { return "" }
  defer { BIO_free(memory) }
  guard X509_NAME_print_ex(memory, name, 0, fanfare_name_on_one_line()) >= 0 else { return "" }
  var start: UnsafeMutablePointer<CChar>?
  let count = fanfare_bio_get_mem_data(memory, &start)
  return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}

private func lastCommonName(of name: OpaquePointer?) -> String? {
  var last: Int32 = -1
  while case let next = X509_NAME_get_index_by_NID(name, NID_commonName, last), next >= 0 {
    last = next
  }
  guard last >= 0, let entry = X509_NAME_get_entry(name, last) else { return nil }
  var text: UnsafeMutablePointer<UInt8>?
  let count = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
  guard count >= 0, let text else { return nil }
  defer { fanfare_free(text) }
  return String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
}

private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
  var parts = tm()
  return ASN1_TIME_to_tm(time, &parts) == 1 ? Int64(timegm(&parts)) : 0
}

private func digest(of certificate: OpaquePointer) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
    var length: UInt32 = 0
    let isDone = X509_digest(certificate, EVP_sha256(), buffer.baseAddress, &length) == 1
    count = isDone ? Int(length) : 0
  }
}
