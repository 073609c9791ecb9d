internal import COpenSSL

/// The password-based encryption of something: a PKCS#5 or PKCS#12 AlgorithmIdentifier.
struct PasswordEncryption {
  /// The most hashing iterations accepted for a password. OpenSSL writes 2,048.
  static let maximumIterations = 2_000_000

  /// The name, for example `RC2-40-CBC`, or `AES-256-CBC, PBKDF2`.
  let name: String
  /// The number of hashing iterations; 0 if the scheme has none, as with scrypt.
  let iterations: Int
  /// The scheme predates 2000: RC2, RC4, DES or 3DES.
  let isOld: Bool

  private init(name: String, iterations: Int, isOld: Bool) {
    (self.name, self.iterations, self.isOld) = (name, iterations, isOld)
  }

  init(_ algorithm: UnsafePointer<X509_ALGOR>) {
    let id = OBJ_obj2nid(algorithm.pointee.algorithm)
    // The MAC of RFC 9579 is structured like PBES2.
    if id == NID_pbes2 || id == NID_pbmac1 {
      self.init(pbes2: algorithm)
    } else {
      self.init(
        name: Self.oldNames[id] ?? openSSLName(of: algorithm),
        iterations: Self.iterations(algorithm, PBEPARAM_it(), PBEPARAM.self) { $0.iter },
        isOld: Self.oldNames[id] != nil)
    }
  }

  /// Reads a MAC: the digest and the number of hashing iterations.
  init(_ digest: UnsafePointer<X509_ALGOR>, iterations: Int) {
    let lock = PasswordEncryption(digest)
    self.init(name: lock.name, iterations: max(lock.iterations, iterations), isOld: false)
  }

  /// Reads the encryption of a private key.
  init?(ofKey locked: OpaquePointer) {
    var algorithm: UnsafePointer<X509_ALGOR>?
    X509_SIG_get0(locked, &algorithm, nil)
    guard let algorithm else { return nil }
    self.init(algorithm)
  }

  /// Reads the key derivation function and the cipher (RFC 8018 section 6.2).
  private init(pbes2 algorithm: UnsafePointer<X509_ALGOR>) {
    guard
      let parts = ASN1_TYPE_unpack_sequence(PBE2PARAM_it(), algorithm.pointee.parameter)?
        .assumingMemoryBound(to: PBE2PARAM.self)
    else {
      self.init(name: "PBES2", iterations: 0, isOld: false)
      return
    }
    defer { PBE2PARAM_free(parts) }
    let (keying, cipher) = (parts.pointee.keyfunc, parts.pointee.encryption)
    let names = [cipher, keying].compactMap { $0.map { openSSLName(of: $0) } }
    self.init(
      name: names.joined(separator: ", "),
      iterations: keying.map {
        Self.iterations($0, PBKDF2PARAM_it(), PBKDF2PARAM.self) { $0.iter }
      } ?? 0,
      isOld: names.first.map { $0.hasPrefix("RC") || $0.hasPrefix("DES") } ?? false)
  }

  /// The names from RFC 7292 appendix C and RFC 8018 appendix A.3.
  private static let oldNames: [Int32: String] = [
    NID_pbe_WithSHA1And40BitRC2_CBC: "RC2-40-CBC",
    NID_pbe_WithSHA1And128BitRC2_CBC: "RC2-128-CBC",
    NID_pbe_WithSHA1And3_Key_TripleDES_CBC: "3DES",
    NID_pbe_WithSHA1And2_Key_TripleDES_CBC: "3DES with two keys",
    NID_pbe_WithSHA1And40BitRC4: "RC4-40",
    NID_pbe_WithSHA1And128BitRC4: "RC4-128",
    NID_pbeWithMD5AndDES_CBC: "DES-CBC, MD5",
    NID_pbeWithSHA1AndDES_CBC: "DES-CBC, SHA-1",
    NID_pbeWithMD5AndRC2_CBC: "RC2-64-CBC, MD5",
    NID_pbeWithSHA1AndRC2_CBC: "RC2-64-CBC, SHA-1",
  ]

  private static func iterations<Parameters>(
    _ algorithm: UnsafePointer<X509_ALGOR>, _ form: OpaquePointer?, _: Parameters.Type,
    _ number: (Parameters) -> UnsafeMutablePointer<ASN1_INTEGER>?
  ) -> Int {
    guard let parts = ASN1_TYPE_unpack_sequence(form, algorithm.pointee.parameter) else { return 0 }
    defer { ASN1_item_free(OpaquePointer(parts), form) }
    return number(parts.assumingMemoryBound(to: Parameters.self).pointee).map { count(of: $0) } ?? 0
  }

  /// The value of an integer; the maximum if it is out of range.
  static func count(of number: UnsafePointer<ASN1_INTEGER>) -> Int {
    var value: Int64 = 0
    return ASN1_INTEGER_get_int64(&value, number) == 1 && value >= 0 ? Int(value) : .max
  }
}

/// OpenSSL's name for an algorithm, or its dotted object ID.
func openSSLName(of algorithm: UnsafePointer<X509_ALGOR>) -> String {
  var name = [CChar](repeating: 0, count: 96)
  // Short names are the familiar ones: AES-256-CBC, PBKDF2, SHA256.
  let id = OBJ_obj2nid(algorithm.pointee.algorithm)
  if id != NID_undef, let short = OBJ_nid2sn(id) { return String(cString: short) }
  OBJ_obj2txt(&name, Int32(name.count), algorithm.pointee.algorithm, 1)
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
