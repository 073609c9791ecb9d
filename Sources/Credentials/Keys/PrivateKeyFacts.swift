internal import COpenSSL

/// What can be told of a private key without showing it.
public struct PrivateKeyFacts: Sendable, Hashable {
  /// How a file spells it.
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// Text between `BEGIN` and `END` (RFC 7468).
    case pem = "PEM"
    /// Bytes (X.690).
    case der = "DER"
    /// Base64 of PEM or DER, as variables hold it.
    case base64 = "base64"
  }

  /// What frames the numbers of the key.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// RFC 5958: the form in which Apple hands out keys.
    case pkcs8 = "PKCS#8"
    /// RFC 5915: `EC PRIVATE KEY`.
    case sec1 = "SEC1"
    /// The older forms of other algorithms, as `RSA PRIVATE KEY` (RFC 8017).
    case traditional
  }

  /// How it is locked with a password.
  public struct Lock: Sendable, Hashable {
    /// For example `AES-256-CBC, PBKDF2`.
    public let name: String
    /// How often the password is hashed; 0 where that is not how it works.
    public let iterations: Int
  }

  /// How the file spells it.
  public let encoding: Encoding

  /// What frames it.
  public let form: Form

  /// How it is locked; nil when it is not.
  public let lock: Lock?

  /// Its algorithm with its size: `EC P-256`, `RSA 2048`; nil while it is locked.
  public let algorithm: String?

  /// SHA-256 of the public half as SubjectPublicKeyInfo in DER; nil while it is locked. Two files
  /// hold the same key when this is the same.
  public let publicKeySHA256: [UInt8]?

  /// Why it cannot sign provider tokens, the same as ``SigningKey`` says; nil when it can.
  public let fault: SigningKeyError?
}

extension PrivateKeyFacts {
  /// Looks at a private key of whatever algorithm.
  ///
  /// - Parameter password: what opens a locked key; without it that much is told as can be seen.
  /// - Throws: `SigningKeyError` when there is no private key, or it is broken, or the password
  ///   does not open it.
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
  /// Whether there is a key, but nothing that opens it.
  fileprivate var isLock: Bool {
    switch self {
    case .encrypted, .unsupportedEncryption: true
    default: false
    }
  }
}

extension KeyBlock {
  /// What it is instead of a private key; nil when it is one.
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
