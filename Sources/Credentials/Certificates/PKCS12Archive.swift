internal import COpenSSL

/// The structure of a `.p12` (RFC 7292), with nothing decrypted yet.
final class PKCS12Archive {
  private let pointer: OpaquePointer

  /// Reads DER or BER; nil if it is damaged. Later decryption takes its algorithms from the
  /// context.
  init?(_ bytes: UnsafeRawBufferPointer, _ context: LibraryContext) {
    defer { ERR_clear_error() }
    var archive = PKCS12_init_ex(NID_pkcs7_data, context.pointer, nil)
    var next = bytes.bindMemory(to: UInt8.self).baseAddress
    // On failure this frees the archive.
    guard d2i_PKCS12(&archive, &next, bytes.count) != nil, let archive else { return nil }
    pointer = archive
  }

  deinit { PKCS12_free(pointer) }

  /// The MAC's algorithm; nil if there is no MAC.
  var mac: PasswordEncryption? {
    var algorithm: UnsafePointer<X509_ALGOR>?
    var iterations: UnsafePointer<ASN1_INTEGER>?
    PKCS12_get0_mac(nil, &algorithm, nil, &iterations, pointer)
    return algorithm.map { algorithm in
      PasswordEncryption(algorithm, iterations: iterations.map(PasswordEncryption.count) ?? 1)
    }
  }

  /// Verifies the MAC with this password. On failure OpenSSL's error queue has the reason.
  func isSealed(with passphrase: Passphrase) -> Bool {
    passphrase.withCharacters { PKCS12_verify_mac(pointer, $0, $1) == 1 }
  }

  /// The parts, each encrypted or not; nil if they cannot be read.
  func safes() -> OwnedStack? {
    OwnedStack(PKCS12_unpack_authsafes(pointer)) {
      PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self))
    }
  }
}

/// A part of a `.p12`: unencrypted bags, or bags encrypted together.
struct PKCS12Safe {
  private let pointer: UnsafeMutablePointer<PKCS7>

  /// An element of ``PKCS12Archive/safes()``.
  init(_ element: UnsafeMutableRawPointer) {
    pointer = element.assumingMemoryBound(to: PKCS7.self)
  }

  /// The encryption of the bags; nil if they are not encrypted.
  var lock: PasswordEncryption? {
    guard OBJ_obj2nid(pointer.pointee.type) == NID_pkcs7_encrypted else { return nil }
    return pointer.pointee.d.encrypted?.pointee.enc_data?.pointee.algorithm.map {
      PasswordEncryption($0)
    }
  }

  /// The unencrypted bags; nil if there are no readable ones.
  func openBags() -> OwnedStack? {
    guard OBJ_obj2nid(pointer.pointee.type) == NID_pkcs7_data, pointer.pointee.d.data != nil else {
      return nil
    }
    return Self.bags(PKCS12_unpack_p7data(pointer))
  }

  /// The decrypted bags; nil if the password is wrong.
  func bags(unlockedWith passphrase: Passphrase) -> OwnedStack? {
    passphrase.withCharacters { Self.bags(PKCS12_unpack_p7encdata(pointer, $0, $1)) }
  }

  private static func bags(_ stack: OpaquePointer?) -> OwnedStack? {
    OwnedStack(stack) { PKCS12_SAFEBAG_free($0.map { OpaquePointer($0) }) }
  }
}

/// The contents of a bag in a `.p12`. The pointers belong to the bag.
enum PKCS12Bag {
  /// PKCS8_PRIV_KEY_INFO.
  case key(OpaquePointer)
  /// X509_SIG.
  case lockedKey(OpaquePointer)
  case certificate(X509Certificate)
  /// More bags: a stack of PKCS12_SAFEBAG.
  case bags(OpaquePointer)
  /// A secret, a revocation list, or a newer type.
  case other

  /// Reads an element of a stack of bags; nil if it is damaged.
  init?(_ element: UnsafeMutableRawPointer) {
    let bag = OpaquePointer(element)
    let found: PKCS12Bag? =
      switch PKCS12_SAFEBAG_get_nid(bag) {
      case NID_keyBag: PKCS12_SAFEBAG_get0_p8inf(bag).map { .key($0) }
      case NID_pkcs8ShroudedKeyBag: PKCS12_SAFEBAG_get0_pkcs8(bag).map { .lockedKey($0) }
      case NID_safeContentsBag: PKCS12_SAFEBAG_get0_safes(bag).map { .bags($0) }
      case NID_certBag where PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate:
        X509Certificate(owning: PKCS12_SAFEBAG_get1_cert(bag)).map { .certificate($0) }
      default: .other
      }
    guard let found else { return nil }
    self = found
  }
}

/// The encryption and MAC of a `.p12`. Reading them takes no password.
public struct PKCS12Encryption: Sendable, Hashable {
  /// The most hashing iterations accepted for a password. OpenSSL writes 2,048.
  public static let maximumIterations = PasswordEncryption.maximumIterations

  /// The algorithms that encrypt the bags, in the file's order without repeats: `RC2-40-CBC`,
  /// `3DES`, `AES-256-CBC, PBKDF2`. Empty if nothing is encrypted.
  public let algorithms: [String]

  /// The MAC's algorithm, for example `SHA1`; nil without a MAC.
  public let mac: String?

  /// The highest number of hashing iterations that the encryption or the MAC requires.
  public let iterations: Int

  /// A bag is encrypted with RC2, RC4, DES or 3DES, as Keychain Access does. OpenSSL 3 reads the
  /// first three only with its legacy provider.
  public let isLegacy: Bool

  /// The file has a MAC, which distinguishes a wrong password from a damaged file.
  public var hasMAC: Bool { mac != nil }

  /// Reads the structure of a `.p12` in DER or BER.
  ///
  /// - Throws: `CertificateError`: `empty`, `wrongKind` or `broken`.
  public init(contents: SecretBytes) throws(CertificateError) {
    let kind = CredentialKind(of: contents)
    guard kind == .pkcs12 else {
      throw contents.isBlank ? .empty(.certificate) : .wrongKind(kind, .certificate)
    }
    guard let archive = contents.withBytes({ PKCS12Archive($0, .usual) }) else {
      throw .broken(.pkcs12, .certificate)
    }
    self.init(archive)
  }

  init(_ archive: PKCS12Archive) {
    defer { ERR_clear_error() }
    let (locks, mac) = (archive.locks(), archive.mac)
    algorithms = locks.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    iterations = (locks.map(\.iterations) + [mac?.iterations ?? 0]).max() ?? 0
    isLegacy = locks.contains(where: \.isOld)
    self.mac = mac?.name
  }
}

extension PKCS12Archive {
  /// The encryption of each part, as far as it is visible without a password.
  fileprivate func locks() -> [PasswordEncryption] {
    var locks: [PasswordEncryption] = []
    safes()?.forEach { element in
      let safe = PKCS12Safe(element)
      if let lock = safe.lock { locks.append(lock) }
      safe.openBags()?.forEach { Self.addLocks(of: $0, to: &locks, depth: 0) }
    }
    return locks
  }

  private static func addLocks(
    of bag: UnsafeMutableRawPointer, to locks: inout [PasswordEncryption], depth: Int
  ) {
    switch PKCS12Bag(bag) {
    case .lockedKey(let key): PasswordEncryption(ofKey: key).map { locks.append($0) }
    case .bags(let bags) where depth < PKCS12Reader.greatestDepth:
      OwnedStack.forEach(in: bags) { addLocks(of: $0, to: &locks, depth: depth + 1) }
    default: break
    }
  }
}
