internal import COpenSSL

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
