internal import COpenSSL

/// The first block of a PEM text (RFC 7468).
enum PEMBlock {
  /// Offers the bytes of a block that may hold a private key, and wipes them afterwards.
  static func withPrivateKey<Result>(
    in text: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(SigningKeyError) -> Result {
    guard text.contains(where: { $0 > 0x20 }) else { throw .empty }
    guard let label = label(in: text) else { throw .notPEM }
    switch label {
    case "PRIVATE KEY", "EC PRIVATE KEY": break
    case "ENCRYPTED PRIVATE KEY": throw .encrypted
    case "RSA PRIVATE KEY": throw .wrongAlgorithm("RSA")
    default: throw .wrongBlock(label: label)
    }
    guard let result = withContents(of: text, body) else { throw .broken(label: label) }
    return result
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

  private static func withContents<Result>(
    of text: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
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
    return body(UnsafeBufferPointer(start: bytes, count: count))
  }
}
