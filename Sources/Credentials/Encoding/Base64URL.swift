internal import COpenSSL

/// Base64 with the alphabet for URLs and without padding (RFC 4648 section 5, RFC 7515 section 2).
package enum Base64URL {
  /// Encodes bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    let digits = text.prefix(Int(count)).filter { $0 != equals }.map { digit in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Decodes strictly, so that no two texts give the same bytes: nil for padding, other characters,
  /// an impossible length and nonzero unused bits.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    if text.isEmpty { return [] }
    return decodeLoosely(text).flatMap { encode($0).utf8.elementsEqual(text) ? $0 : nil }
  }

  /// Decodes pasted text: also accepts plain base64, padding and unused bits, but not an empty
  /// text.
  package static func decodeLoosely(_ text: some Collection<UInt8>) -> [UInt8]? {
    var digits = text.filter { $0 != equals }.map { digit in
      switch digit {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: digit
      }
    }
    if digits.isEmpty { return nil }
    let padding = (4 - digits.count % 4) % 4
    digits += repeatElement(equals, count: padding)
    var bytes = [UInt8](repeating: 0, count: digits.count / 4 * 3)
    let count = Int(EVP_DecodeBlock(&bytes, digits, Int32(clamping: digits.count)))
    return padding < 3 && count >= padding ? Array(bytes.prefix(count - padding)) : nil
  }

  private static let equals = UInt8(ascii: "=")
}
