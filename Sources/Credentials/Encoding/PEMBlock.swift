internal import COpenSSL

/// A block of PEM text (RFC 7468).
struct PEMBlock {
  /// The block `openssl ecparam -genkey` writes before the key: the curve, which the key repeats.
  static let parameters = "EC PARAMETERS"

  /// The label, for example `PRIVATE KEY`.
  let label: String
  /// The old PEM encryption; nil if there is none, or PKCS#8 encryption is used.
  let lock: PEMLock?
  /// The DER content, encrypted or not.
  let bytes: SecretBytes

  /// The first block that is not `EC PARAMETERS`; nil if there is none or it is damaged.
  static func first(in text: SecretBytes) -> PEMBlock? {
    all(in: text).blocks.first { $0.label != parameters }
  }

  /// The blocks up to the first damaged one; `areWhole` is true if there is no such block.
  static func all(in text: SecretBytes) -> (blocks: [PEMBlock], areWhole: Bool) {
    text.withBytes { text in
      let bio = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count))
      defer { BIO_free(bio) }
      var blocks: [PEMBlock] = []
      while let block = PEMBlock(nextOf: bio) { blocks.append(block) }
      return (blocks, OpenSSLErrors.sayEndOfPEM())
    }
  }

  private init?(nextOf text: OpaquePointer?) {
    var (name, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    // With this flag OpenSSL wipes its own buffers.
    let flags = UInt32(PEM_FLAG_SECURE | PEM_FLAG_EAY_COMPATIBLE)
    guard PEM_read_bio_ex(text, &name, &header, &bytes, &count, flags) == 1 else { return nil }
    label = name.map { String(cString: $0) } ?? ""
    lock = header.flatMap { PEMLock(header: String(cString: $0)) }
    self.bytes = SecretBytes(copying: UnsafeRawBufferPointer(start: bytes, count: count))
    CRYPTO_secure_free(name, nil, 0)
    CRYPTO_secure_free(header, nil, 0)
    CRYPTO_secure_clear_free(bytes, count, nil, 0)
  }
}
