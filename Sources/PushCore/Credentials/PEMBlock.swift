internal import COpenSSL

/// A block of a PEM text (RFC 7468) that may hold a private key. Its bytes are wiped when it goes.
final class PEMBlock {
  /// What it says it is, for example `PRIVATE KEY`.
  let label: String

  /// Whether its header says that the bytes are locked with a password (RFC 1421 section 4.6.1.1).
  private let isLocked: Bool
  private let bytes: UnsafeMutablePointer<UInt8>?
  private let count: Int

  /// The next block of a text; nil when there is none, or it is broken.
  private init?(nextOf text: OpaquePointer?) {
    var (name, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard PEM_read_bio(text, &name, &header, &bytes, &count) == 1 else { return nil }
    label = name.map { String(cString: $0) } ?? ""
    isLocked = header.map { String(cString: $0).contains("ENCRYPTED") } ?? false
    (self.bytes, self.count) = (bytes, count)
    CRYPTO_free(name, nil, 0)
    CRYPTO_free(header, nil, 0)
  }

  deinit { CRYPTO_clear_free(bytes, count, nil, 0) }

  /// Offers the bytes, which are DER.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: bytes, count: count))
  }
}

extension PEMBlock {
  /// What `openssl ecparam -genkey` writes in front of the key: the curve, which the key names too.
  private static let parameters = "EC PARAMETERS"

  /// The first block of a text, which has to be an unencrypted private key.
  static func privateKey(in text: [UInt8]) throws(SigningKeyError) -> PEMBlock {
    guard text.contains(where: { $0 > 0x20 }) else { throw .empty }
    guard let block = first(in: text) else {
      guard let label = label(in: text) else { throw .notPEM }
      throw fault(of: label) ?? .broken(label: label)
    }
    if let fault = fault(of: block.label) { throw fault }
    if block.isLocked { throw .encrypted }
    return block
  }

  private static func first(in text: [UInt8]) -> PEMBlock? {
    text.withUnsafeBufferPointer { text in
      let bio = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count))
      defer {
        BIO_free(bio)
        ERR_clear_error()
      }
      while let block = PEMBlock(nextOf: bio) {
        if block.label != parameters { return block }
      }
      return nil
    }
  }

  private static func fault(of label: String) -> SigningKeyError? {
    switch label {
    case "PRIVATE KEY", "EC PRIVATE KEY": nil
    case "ENCRYPTED PRIVATE KEY": .encrypted
    case "RSA PRIVATE KEY": .wrongAlgorithm("RSA")
    case "DSA PRIVATE KEY": .wrongAlgorithm("DSA")
    default: .wrongBlock(label: label)
    }
  }

  /// What the block that cannot be read says it is.
  private static func label(in text: [UInt8]) -> String? {
    let labels = text.split { $0 == 0x0A || $0 == 0x0D }.compactMap(label(ofLine:))
    return labels.first { $0 != parameters } ?? labels.first
  }

  private static func label(ofLine line: ArraySlice<UInt8>) -> String? {
    guard line.starts(with: "-----BEGIN ".utf8) else { return nil }
    let words = String(decoding: line.dropFirst(11), as: UTF8.self)
    let label = words.prefix { $0 != "-" }
    return words.dropFirst(label.count).hasPrefix("-----") ? String(label) : nil
  }
}
