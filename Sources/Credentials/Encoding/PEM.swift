internal import COpenSSL

/// PEM text (RFC 7468) that lost its line breaks in a variable or a form.
package enum PEMText {
  static let begin: StaticString = "-----BEGIN "
  private static let end: StaticString = "-----END "
  private static let dashes: StaticString = "-----"
  private static let lineFeed = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: "\\")
  private static let foldedLineFeed: StaticString = "\\n"

  /// The text with line breaks restored, which PEM readers require; nil if it has them.
  static func unfolded(_ text: SecretBytes) -> SecretBytes? {
    text.withBytes { text in
      if text.offset(of: foldedLineFeed) != nil { return withLineFeeds(text) }
      return hasLines(text) ? nil : withLinesOf64(text)
    }
  }

  /// The label of the first block that is not `EC PARAMETERS`, even if the block is unreadable.
  static func label(in text: SecretBytes) -> String? {
    let labels = labels(in: text)
    return labels.first { $0 != PEMBlock.parameters } ?? labels.first
  }

  /// The labels of all blocks, readable or not.
  package static func labels(in text: SecretBytes) -> [String] {
    text.withBytes { text in
      var labels: [String] = []
      var start = text.offset(of: begin)
      while let found = start {
        let name = found + begin.utf8CodeUnitCount
        if let stop = text.offset(of: dashes, from: name), stop - name < 64 {
          labels.append(String(decoding: text[name..<stop], as: UTF8.self))
        }
        start = text.offset(of: begin, from: name)
      }
      return labels
    }
  }

  /// Returns true if the first block has its label on a line of its own.
  private static func hasLines(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.offset(of: begin), start == 0 || text[start - 1] == lineFeed,
      let stop = text.offset(of: dashes, from: start + begin.utf8CodeUnitCount)
    else { return false }
    let rest = text[(stop + dashes.utf8CodeUnitCount)...]
    return rest.first { !" \t\r".utf8.contains($0) }.map { $0 == lineFeed } ?? true
  }

  /// Turns `\n`, as a shell or YAML file writes it, back into a line feed, and drops `\r`. Each may
  /// have been escaped several times.
  private static func withLineFeeds(_ text: UnsafeRawBufferPointer) -> SecretBytes {
    SecretBytes(capacity: text.count) { buffer in
      var rest = text[(text.offset(of: begin) ?? 0)...]
      var count = 0
      while let byte = rest.popFirst() {
        if byte == backslash { rest = rest.drop { $0 == backslash } }
        let escape = byte == backslash ? rest.popFirst() : nil
        if escape == UInt8(ascii: "r") { continue }
        buffer[count] = escape == UInt8(ascii: "n") ? lineFeed : byte
        count += 1
      }
      return count
    }
  }

  /// Breaks every block into lines, even where blanks or nothing replaced the line breaks.
  private static func withLinesOf64(_ text: UnsafeRawBufferPointer) -> SecretBytes {
    SecretBytes(capacity: text.count * 2 + 64) { buffer in
      var lines = LineWriter(buffer: buffer)
      var start = text.offset(of: begin)
      while let found = start, let body = endOfLabel(text, from: found),
        let stop = text.offset(of: end, from: body), let next = endOfLabel(text, from: stop)
      {
        lines.put(text[found..<body])
        lines.putDigits(text[body..<stop])
        lines.put(text[stop..<next])
        start = text.offset(of: begin, from: next)
      }
      return lines.count
    }
  }

  /// The end of the dashes after a label.
  private static func endOfLabel(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let name = start + dashes.utf8CodeUnitCount
    return text.offset(of: dashes, from: name).map { $0 + dashes.utf8CodeUnitCount }
  }
}

/// Writes lines into a sufficiently large buffer.
private struct LineWriter {
  let buffer: UnsafeMutableRawBufferPointer
  var count = 0

  mutating func put(_ line: Slice<UnsafeRawBufferPointer>) {
    for byte in line { put(byte) }
    put(UInt8(ascii: "\n"))
  }

  /// Writes base64 without blanks, in lines of 64 characters.
  mutating func putDigits(_ digits: Slice<UnsafeRawBufferPointer>) {
    var column = 0
    for byte in digits where !isBlankOrMark(byte) {
      put(byte)
      column += 1
      if column.isMultiple(of: 64) { put(UInt8(ascii: "\n")) }
    }
    if !column.isMultiple(of: 64) { put(UInt8(ascii: "\n")) }
  }

  private mutating func put(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }
}

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

/// The old PEM encryption, described in lines between label and bytes (RFC 1421 section 4.6.1.1).
struct PEMLock {
  private let header: String

  /// Reads the lines; nil if they do not mention encryption.
  init?(header: String) {
    guard header.contains("ENCRYPTED") else { return nil }
    self.header = header
  }

  /// The cipher, for example `DES-EDE3-CBC`.
  var cipher: String {
    guard let field = header.firstRange(of: "DEK-Info:") else { return "unknown" }
    let rest = header[field.upperBound...].drop { $0 == " " }
    return String(rest.prefix { $0 != "," && !$0.isNewline })
  }

  /// Decrypts the bytes. About one wrong password in a few hundred goes unnoticed.
  ///
  /// - Returns: nil on failure; OpenSSL's error queue may have the reason.
  func open(_ locked: SecretBytes, with password: SecretBytes) -> SecretBytes? {
    var info = EVP_CIPHER_INFO()
    var header = Array(header.utf8CString)
    guard PEM_get_EVP_CIPHER_INFO(&header, &info) == 1 else { return nil }
    let opened = SecretBytes(capacity: locked.count) { buffer in
      locked.withBytes { buffer.copyMemory(from: $0) }
      return Self.open(buffer, &info, password) ?? 0
    }
    return opened.count > 0 ? opened : nil
  }

  /// Decrypts in place.
  private static func open(
    _ buffer: UnsafeMutableRawBufferPointer, _ cipher: inout EVP_CIPHER_INFO,
    _ password: SecretBytes
  ) -> Int? {
    var count = buffer.count
    let isOpen = password.withBytes { password in
      var password = password
      return PEM_do_header(
        &cipher, buffer.bindMemory(to: UInt8.self).baseAddress, &count, copyPassword, &password)
    }
    return isOpen == 1 ? count : nil
  }
}

/// OpenSSL's password callback. It copies the password into a buffer that OpenSSL wipes.
private func copyPassword(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _: Int32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let buffer, let context else { return -1 }
  let password = context.load(as: UnsafeRawBufferPointer.self)
  guard password.count <= Int(size) else { return -1 }
  UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)).copyMemory(from: password)
  return Int32(password.count)
}
