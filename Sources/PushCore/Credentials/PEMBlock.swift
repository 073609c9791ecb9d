internal import COpenSSL

/// The first block of a PEM text (RFC 7468).
struct PEMBlock: ~Copyable {
  private let label: String
  private var der: [UInt8]

  init(_ text: [UInt8]) throws(SigningKeyError) {
    guard text.contains(where: { $0 > 0x20 }) else { throw .empty }
    guard let label = Self.label(in: text) else { throw .notPEM }
    self.label = label
    guard let der = Self.contents(of: text) else {
      if label == "ENCRYPTED PRIVATE KEY" { throw .encrypted }
      throw .broken(label: label)
    }
    self.der = der
  }

  deinit {
    var der = der
    der.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  }

  /// The bytes of a block that may hold a private key.
  func privateKeyDER() throws(SigningKeyError) -> [UInt8] {
    switch label {
    case "PRIVATE KEY", "EC PRIVATE KEY": return der
    case "ENCRYPTED PRIVATE KEY": throw .encrypted
    case "RSA PRIVATE KEY": throw .wrongAlgorithm("RSA")
    default: throw .wrongBlock(label: label)
    }
  }

  private static func label(in text: [UInt8]) -> String? {
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let words = String(decoding: line, as: UTF8.self)
      guard words.hasPrefix("-----BEGIN "), words.hasSuffix("-----"), words.utf8.count > 16
      else { continue }
      return String(words.dropFirst(11).dropLast(5))
    }
    return nil
  }

  private static func contents(of text: [UInt8]) -> [UInt8]? {
    let bio = BIO_new_mem_buf(text, Int32(clamping: text.count))
    defer { BIO_free(bio) }
    var (name, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    defer {
      CRYPTO_free(name, nil, 0)
      CRYPTO_free(header, nil, 0)
      CRYPTO_clear_free(bytes, count, nil, 0)
      ERR_clear_error()
    }
    guard PEM_read_bio(bio, &name, &header, &bytes, &count) == 1 else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}
