/// A device token as printed by a log, a debugger or a source file.
struct PastedToken {
  private let text: [UInt8]

  init(_ bytes: some Collection<UInt8>) { text = Self.bare(bytes) }

  /// The token without its decoration.
  var token: DeviceToken {
    get throws(DeviceTokenError) {
      if text.first == UInt8(ascii: "{") { return try described() }
      return try Self.token(text)
    }
  }

  /// Parses `{length = 32, bytes = 0x0a1b… }`; a long token has an ellipsis in the middle.
  private func described() throws(DeviceTokenError) -> DeviceToken {
    let parts = text.split(separator: UInt8(ascii: "="))
    guard parts.count == 3, parts[2].last == UInt8(ascii: "}"),
      parts[1].split(separator: UInt8(ascii: " ")).last == Self.word("bytes")
    else { return try Self.token(text) }
    let length = String(decoding: parts[1].filter { $0 &- 0x30 < 10 }, as: UTF8.self)
    if Self.isElided(parts[2]) { throw .elided }
    let token = try Self.token(Array(parts[2].dropLast()))
    if Int(length) != token.hex.utf8.count / 2 { throw .elided }
    return token
  }

  private static func token(_ text: [UInt8]) throws(DeviceTokenError) -> DeviceToken {
    var digits = text.filter { !$0.isDecoration }[...]
    if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) { digits.removeFirst(2) }
    return try digits.withUnsafeBufferPointer { bytes in
      Result { () throws(DeviceTokenError) in try DeviceToken(ascii: bytes) }
    }.get()
  }

  /// True if part of the token was left out, as `...` or `…` shows.
  static func isElided(_ bytes: some Collection<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("…") || text.contains("..")
  }

  private static func word(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }
}

// Characters that people paste around a token.
extension PastedToken {
  private static let around = [
    " ", "\t", "\r", "\n", "\"", "'", "`", ",", ";", "“", "”", "„", "‘", "’", "«", "»", "\u{A0}",
    "\u{200B}", "\u{FEFF}",
  ].map { Array($0.utf8) }

  /// The text without quotes, separators and spaces at both ends.
  private static func bare(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text = Array(bytes)[...]
    while let mark = around.first(where: { text.starts(with: $0) }) { text.removeFirst(mark.count) }
    while let mark = around.first(where: { text.reversed().starts(with: $0.reversed()) }) {
      text.removeLast(mark.count)
    }
    return Array(text)
  }
}

extension UInt8 {
  fileprivate var isDecoration: Bool {
    switch self {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: " "): true
    case UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
