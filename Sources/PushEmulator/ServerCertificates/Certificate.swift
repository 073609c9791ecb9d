internal import COpenSSL
internal import POSIX

/// The sole owner of an X.509 certificate under construction.
struct Certificate: ~Copyable {
  let pointer: OpaquePointer

  /// Creates an empty certificate.
  init() throws(OpenSSLFailure) { pointer = try made(X509_new(), by: "X509_new") }

  /// Reads a certificate.
  init(pem: [UInt8]) throws(OpenSSLFailure) {
    let source = try made(BIO_new_mem_buf(pem, Int32(clamping: pem.count)), by: "BIO_new_mem_buf")
    defer { BIO_free(source) }
    pointer = try made(PEM_read_bio_X509(source, nil, nil, nil), by: "PEM_read_bio_X509")
  }

  deinit { X509_free(pointer) }

  /// Returns true if the certificate is for this key and valid for this many more seconds, and
  /// names its key, as those of the first versions did not.
  func isGood(for key: borrowing GeneratedKey, seconds: Int) -> Bool {
    var end = time(nil) + time_t(seconds)
    return X509_check_private_key(pointer, key.pointer) == 1
      && X509_get0_subject_key_id(pointer) != nil
      && X509_cmp_current_time(X509_get0_notBefore(pointer)) < 0
      && X509_cmp_time(X509_get0_notAfter(pointer), &end) > 0
  }

  /// Sets the subject, the key and the validity, in seconds relative to now.
  func fill(
    commonName: String, key: borrowing GeneratedKey, validFrom: Int, validUntil: Int
  ) throws(OpenSSLFailure) {
    // Version 3 is encoded as 2 (RFC 5280 section 4.1.2.1).
    try expect(X509_set_version(pointer, 2), from: "X509_set_version")
    try setSerialNumber()
    try expect(X509_set_pubkey(pointer, key.pointer), from: "X509_set_pubkey")
    try expect(
      X509_NAME_add_entry_by_txt(
        X509_get_subject_name(pointer), "CN", MBSTRING_UTF8, commonName, -1, -1, 0),
      from: "X509_NAME_add_entry_by_txt")
    guard X509_gmtime_adj(X509_getm_notBefore(pointer), validFrom) != nil,
      X509_gmtime_adj(X509_getm_notAfter(pointer), validUntil) != nil
    else { throw OpenSSLFailure("X509_gmtime_adj") }
  }

  /// Sets 127 random bits: positive, and at most 20 bytes (RFC 5280 section 4.1.2.2).
  private func setSerialNumber() throws(OpenSSLFailure) {
    let number = try made(BN_new(), by: "BN_new")
    defer { BN_free(number) }
    try expect(
      BN_rand(number, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY), from: "BN_rand")
    guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil else {
      throw OpenSSLFailure("BN_to_ASN1_INTEGER")
    }
  }

  /// Adds an extension in the notation of OpenSSL's configuration files.
  ///
  /// - Parameter issuer: the certificate that is to sign this one; nil for itself.
  func add(
    _ extensionID: Int32, _ value: String, issuer: OpaquePointer? = nil
  ) throws(OpenSSLFailure) {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer ?? pointer, pointer, nil, nil, 0)
    let row = try made(
      X509V3_EXT_conf_nid(nil, &context, extensionID, value), by: "X509V3_EXT_conf_nid")
    defer { X509_EXTENSION_free(row) }
    try expect(X509_add_ext(pointer, row, -1), from: "X509_add_ext")
  }

  /// Sets the issuer and signs. This is the last step.
  func sign(
    asIssuer issuer: OpaquePointer, with key: borrowing GeneratedKey
  ) throws(OpenSSLFailure) {
    try expect(
      X509_set_issuer_name(pointer, X509_get_subject_name(issuer)), from: "X509_set_issuer_name")
    try expect(X509_sign(pointer, key.pointer, EVP_sha256()), from: "X509_sign")
  }

  /// The certificate in DER.
  func der() throws(OpenSSLFailure) -> [UInt8] {
    try derBytes("i2d_X509") { i2d_X509(pointer, $0) }
  }

  /// The certificate in PEM.
  func pem() throws(OpenSSLFailure) -> String {
    let sink = try made(BIO_new(BIO_s_mem()), by: "BIO_new")
    defer { BIO_free(sink) }
    try expect(PEM_write_bio_X509(sink, pointer), from: "PEM_write_bio_X509")
    var text: UnsafeMutablePointer<CChar>?
    let count = fanfare_bio_get_mem_data(sink, &text)
    return text.map {
      String(decoding: UnsafeRawBufferPointer(start: $0, count: count), as: UTF8.self)
    } ?? ""
  }
}

/// The sole owner of a P-256 private key generated at run time.
struct GeneratedKey: ~Copyable {
  let pointer: OpaquePointer

  /// Generates a key.
  init() throws(OpenSSLFailure) {
    pointer = try made(fanfare_generate_p256_key(), by: "EVP_PKEY_Q_keygen")
  }

  /// Reads a key written by `pkcs8`.
  init(pkcs8: [UInt8]) throws(OpenSSLFailure) {
    let key = pkcs8.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_AutoPrivateKey(nil, &next, bytes.count)
    }
    pointer = try made(key, by: "d2i_AutoPrivateKey")
  }

  deinit { EVP_PKEY_free(pointer) }

  /// The key as PKCS#8 in DER (RFC 5208).
  func pkcs8() throws(OpenSSLFailure) -> [UInt8] {
    let info = try made(EVP_PKEY2PKCS8(pointer), by: "EVP_PKEY2PKCS8")
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    return try derBytes("i2d_PKCS8_PRIV_KEY_INFO") { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
  }
}

/// The contents of the emulator's server certificate. The default is valid; tests ask for bad ones.
public struct CertificateTerms: Sendable, Hashable {
  /// The signer of the certificate.
  public enum Issuer: Sendable, Hashable {
    /// The emulator's own authority, whose certificate clients receive.
    case authority
    /// The certificate's own key, which no client has a reason to trust.
    case itself
  }

  /// The host names and addresses it is valid for.
  public var names: [String]

  /// The start of its validity, in seconds relative to now by the system's clock.
  public var validFrom: Int

  /// The end of its validity, in seconds relative to now by the system's clock.
  public var validUntil: Int

  /// The signer.
  public var issuer: Issuer

  /// Creates terms. By default they cover 127.0.0.1, ::1 and localhost, from an hour ago (for
  /// clients whose clock is behind) until a week from now.
  public init(
    names: [String] = ["127.0.0.1", "::1", "localhost"], validFrom: Int = -3600,
    validUntil: Int = 7 * 86_400, issuer: Issuer = .authority
  ) {
    self.names = names
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.issuer = issuer
  }
}
