import COpenSSL
import Foundation
import HTTP2

/// A throw-away certificate with its key, in DER.
struct TestCertificate {
  struct Failure: Error {}

  private final class Parts {
    let certificate: OpaquePointer
    let key: OpaquePointer
    init(_ certificate: OpaquePointer, _ key: OpaquePointer) {
      (self.certificate, self.key) = (certificate, key)
    }
    deinit {
      X509_free(certificate)
      EVP_PKEY_free(key)
    }
  }

  private let parts: Parts

  /// - Parameters:
  ///   - name: the DNS name that it is for; nil makes an authority.
  ///   - namesHost: whether it has the name where clients look for it, beside the subject.
  ///   - days: its first and last day, counted from today.
  ///   - issuer: who signs it; nil makes it sign itself.
  ///   - rsaBits: the length of its RSA key; nil makes a P-256 key.
  /// - Throws: `Failure` when OpenSSL does not play along.
  init(
    for name: String?, namesHost: Bool = true, days: ClosedRange<Int> = -1...1,
    issuer: TestCertificate? = nil,
    rsaBits: Int32? = nil
  ) throws {
    guard let certificate = X509_new() else { throw Failure() }
    guard let key = rsaBits.map(Self.rsaKey) ?? fanfare_generate_p256_key() else {
      X509_free(certificate)
      throw Failure()
    }
    parts = Parts(certificate, key)
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...Int(Int32.max)))
    X509_gmtime_adj(X509_getm_notBefore(certificate), days.lowerBound * 86_400)
    X509_gmtime_adj(X509_getm_notAfter(certificate), days.upperBound * 86_400)
    X509_set_pubkey(certificate, key)
    try identify(as: name, namesHost: namesHost, issuer: issuer?.parts ?? parts)
  }

  private static func rsaKey(bits: Int32) -> OpaquePointer? {
    let generator = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
    defer { EVP_PKEY_CTX_free(generator) }
    var key: OpaquePointer?
    EVP_PKEY_keygen_init(generator)
    EVP_PKEY_CTX_set_rsa_keygen_bits(generator, bits)
    EVP_PKEY_generate(generator, &key)
    return key
  }

  private func identify(as name: String?, namesHost: Bool, issuer: Parts) throws {
    let subject = X509_get_subject_name(parts.certificate)
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name ?? "Test authority", -1, -1, 0)
    X509_set_issuer_name(parts.certificate, X509_get_subject_name(issuer.certificate))
    try add(NID_basic_constraints, name == nil ? "critical,CA:TRUE" : "critical,CA:FALSE")
    if let name, namesHost { try add(NID_subject_alt_name, "DNS:\(name)") }
    guard X509_sign(parts.certificate, issuer.key, EVP_sha256()) > 0 else { throw Failure() }
  }

  private func add(_ kind: Int32, _ value: String) throws {
    guard let row = X509V3_EXT_conf_nid(nil, nil, kind, value) else { throw Failure() }
    defer { X509_EXTENSION_free(row) }
    guard X509_add_ext(parts.certificate, row, -1) == 1 else { throw Failure() }
  }

  var der: [UInt8] { encoded { i2d_X509(parts.certificate, $0) } }

  /// The key as PKCS#8.
  var key: [UInt8] {
    guard let form = EVP_PKEY2PKCS8(parts.key) else { return [] }
    defer { PKCS8_PRIV_KEY_INFO_free(form) }
    return encoded { i2d_PKCS8_PRIV_KEY_INFO(form, $0) }
  }

  /// The key as SEC1 or PKCS#1.
  var traditionalKey: [UInt8] { encoded { i2d_PrivateKey(parts.key, $0) } }

  private func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32)
    -> [UInt8]
  {
    [UInt8](unsafeUninitializedCapacity: Int(max(0, write(nil)))) { buffer, count in
      var next = buffer.baseAddress
      count = Int(max(0, write(&next)))
    }
  }

  var pem: String {
    let text = Data(der).base64EncodedString(options: .lineLength64Characters)
    return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
  }
}

extension ClientIdentity {
  /// The certificate with its own key and with these issuers.
  convenience init(_ leaf: TestCertificate, issuers: [TestCertificate] = []) throws(Failure) {
    let (key, certificates) = (leaf.key, [leaf.der] + issuers.map(\.der))
    try self.init(certificates: certificates, keyBytes: key)
  }

  convenience init(certificates: [[UInt8]], keyBytes key: [UInt8]) throws(Failure) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: key.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: key)
    try self.init(certificates: certificates, key: UnsafeRawBufferPointer(bytes))
  }
}

/// A file that is gone when nobody holds it any more.
final class TemporaryFile {
  let path: String

  init(_ text: String) throws {
    path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  deinit { unlink(path) }
}
