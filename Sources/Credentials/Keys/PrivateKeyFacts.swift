internal import COpenSSL

/// The facts about a private key that do not reveal it.
public struct PrivateKeyFacts: Sendable, Hashable {
  /// The encoding of a key file.
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// Text between `BEGIN` and `END` (RFC 7468).
    case pem = "PEM"
    /// Binary (X.690).
    case der = "DER"
    /// Base64 of PEM or DER, as used in variables.
    case base64 = "base64"
  }

  /// The structure around the key's numbers.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// RFC 5958: the format Apple issues keys in.
    case pkcs8 = "PKCS#8"
    /// RFC 5915: `EC PRIVATE KEY`.
    case sec1 = "SEC1"
    /// The older formats of other algorithms, such as `RSA PRIVATE KEY` (RFC 8017).
    case traditional
  }

  /// The key's encryption.
  public struct Lock: Sendable, Hashable {
    /// The name, for example `AES-256-CBC, PBKDF2`.
    public let name: String
    /// The number of hashing iterations; 0 if the scheme has none.
    public let iterations: Int
  }

  /// The file's encoding.
  public let encoding: Encoding

  /// The structure around the key's numbers.
  public let form: Form

  /// The encryption; nil if the key is not encrypted.
  public let lock: Lock?

  /// The algorithm with its size: `EC P-256`, `RSA 2048`; nil if the key was not decrypted.
  public let algorithm: String?

  /// SHA-256 of the public half as SubjectPublicKeyInfo in DER; nil if the key was not decrypted.
  /// Two files hold the same key if their values are equal.
  public let publicKeySHA256: [UInt8]?

  /// The reason it cannot sign provider tokens, as ``SigningKey`` would throw it; nil if it can.
  public let fault: SigningKeyError?
}

extension PrivateKeyFacts {
  /// Reads a private key of any algorithm.
  ///
  /// - Parameter password: the password of an encrypted key; without it, only what is visible is
  ///   read.
  /// - Throws: `SigningKeyError` if there is no private key, it is broken, or the password fails.
  public init(_ contents: SecretBytes, password: SecretBytes? = nil) throws(SigningKeyError) {
    defer { ERR_clear_error() }
    if contents.isBlank { throw .empty }
    let block = try KeyBlock(ofAnyKind: contents)
    if let fault = block.strangeness { throw fault }
    do throws(SigningKeyError) {
      let key = try block.privateKey(password)
      defer { EVP_PKEY_free(key) }
      self.init(block, key)
    } catch {
      guard error.isLock else { throw error }
      self.init(block, fault: error)
    }
  }

  private init(_ block: KeyBlock, _ key: OpaquePointer) {
    self.init(
      block, algorithm: keyName(of: key), sha256: Credentials.publicKeySHA256(of: key),
      fault: faultOfKey(key))
  }

  private init(
    _ block: KeyBlock, algorithm: String? = nil, sha256: [UInt8]? = nil, fault: SigningKeyError?
  ) {
    self.init(
      encoding: block.encoding, form: block.form, lock: block.lockFacts, algorithm: algorithm,
      publicKeySHA256: sha256, fault: fault)
  }
}

private func faultOfKey(_ key: OpaquePointer) -> SigningKeyError? {
  do throws(SigningKeyError) {
    try checkIsP256(key)
    return nil
  } catch {
    return error
  }
}

extension SigningKeyError {
  /// The key exists but cannot be decrypted.
  fileprivate var isLock: Bool {
    switch self {
    case .encrypted, .unsupportedEncryption: true
    default: false
    }
  }
}

extension KeyBlock {
  /// The error for anything but a private key; nil for a private key.
  fileprivate var strangeness: SigningKeyError? {
    guard let label, let fault = SigningKeyError(label: label) else { return nil }
    if case .wrongAlgorithm = fault { return nil }
    return fault
  }

  fileprivate var form: PrivateKeyFacts.Form {
    switch label {
    case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY": .pkcs8
    case "EC PRIVATE KEY": .sec1
    case nil: der.withBytes(formOfDER)
    default: .traditional
    }
  }
}

private func formOfDER(_ der: UnsafeRawBufferPointer) -> PrivateKeyFacts.Form {
  let info = decoded(der) { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }
  let locked = decoded(der) { d2i_X509_SIG(nil, $0, $1) }
  let key = decoded(der) { fanfare_ec_key($0?.pointee, $1) }
  defer {
    PKCS8_PRIV_KEY_INFO_free(info)
    X509_SIG_free(locked)
    EVP_PKEY_free(key)
  }
  if info != nil || locked != nil { return .pkcs8 }
  return key == nil ? .traditional : .sec1
}
