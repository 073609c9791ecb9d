/// The ASCII characters of the grammar.
extension UInt8 {
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0A }
  static var verticalTab: UInt8 { 0x0B }
  static var formFeed: UInt8 { 0x0C }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var quote: UInt8 { 0x22 }
  static var dollar: UInt8 { 0x24 }
  static var apostrophe: UInt8 { 0x27 }
  static var asterisk: UInt8 { 0x2A }
  static var plus: UInt8 { 0x2B }
  static var comma: UInt8 { 0x2C }
  static var minus: UInt8 { 0x2D }
  static var dot: UInt8 { 0x2E }
  static var slash: UInt8 { 0x2F }
  static var zero: UInt8 { 0x30 }
  static var nine: UInt8 { 0x39 }
  static var colon: UInt8 { 0x3A }
  static var leftBracket: UInt8 { 0x5B }
  static var backslash: UInt8 { 0x5C }
  static var rightBracket: UInt8 { 0x5D }
  static var underscore: UInt8 { 0x5F }
  static var leftBrace: UInt8 { 0x7B }
  static var rightBrace: UInt8 { 0x7D }
  static var delete: UInt8 { 0x7F }
}

extension UInt8 {
  var isASCII: Bool { self < 0x80 }
  var isDigit: Bool { self &- .zero < 10 }
  var isLetter: Bool { lowercased &- UInt8(ascii: "a") < 26 }

  /// The lowercase form of a letter; the result is meaningless for other characters.
  var lowercased: UInt8 { self | 0x20 }

  /// The value of a hexadecimal digit in either case.
  var hexValue: UInt8? {
    if isDigit { return self &- .zero }
    let place = lowercased &- UInt8(ascii: "a")
    return place < 6 ? place + 10 : nil
  }

  /// True for a byte of a number, or one that must not follow a number directly.
  var belongsToNumber: Bool {
    isDigit || isLetter || self == .dot || self == .minus || self == .plus || self == .underscore
  }
}
