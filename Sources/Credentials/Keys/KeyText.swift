/// The value of a key or certificate variable: a path, or the contents themselves.
public enum KeyText: Sendable {
  /// A path to a file.
  case path(String)
  /// The contents of such a file, ready for ``SigningKey`` or ``ClientCertificate``.
  case contents(SecretBytes)

  /// Distinguishes a path from contents: PEM text (also on one line with `\n` or blanks), base64 of
  /// PEM or DER, or a provider token set by mistake.
  public init(_ value: String) {
    let secret = SecretBytes(value)
    self =
      secret.holdsPEM || secret.isBase64OfKey || value.hasPrefix("eyJ")
      ? .contents(secret) : .path(value)
  }
}

extension SecretBytes {
  /// A path may look like base64 too, but not like base64 of PEM or of a complete DER sequence.
  fileprivate var isBase64OfKey: Bool {
    guard let decoded = base64Decoded else { return false }
    return decoded.holdsPEM || decoded.withBytes(isWholeSequence)
  }
}

/// Returns true if the header's length matches the bytes that follow (X.690 section 8.1.3).
private func isWholeSequence(_ der: UnsafeRawBufferPointer) -> Bool {
  guard der.count > 4, der[0] == 0x30 else { return false }
  switch der[1] {
  case 0..<0x80: return der.count == 2 + Int(der[1])
  case 0x81: return der.count == 3 + Int(der[2])
  case 0x82: return der.count == 4 + (Int(der[2]) << 8) + Int(der[3])
  // In BER, two zero bytes at the end may replace the length, as in .p12 files.
  case 0x80: return der[der.count - 1] == 0 && der[der.count - 2] == 0
  default: return false
  }
}
