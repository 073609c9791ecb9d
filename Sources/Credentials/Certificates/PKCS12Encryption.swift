internal import COpenSSL

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
