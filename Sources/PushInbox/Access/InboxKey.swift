/// What a client has to show: whoever has it can read every push and change the emulator.
public struct InboxKey: Sendable, Equatable {
  /// The fewest characters.
  public static let shortest = 16
  /// The most characters.
  public static let longest = 256

  /// Letters, digits, `-` and `_`, so that it can be part of a URL.
  public let text: String

  /// A new one of 128 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// A key that somebody chose; nil when it is too short or too long, or has other characters.
  public init?(_ text: some StringProtocol) {
    let isFitting = text.utf8.allSatisfy { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII
        && (character.isLetter || character.isNumber || "-_".contains(character))
    }
    guard isFitting, Self.shortest...Self.longest ~= text.utf8.count else { return nil }
    self.text = String(text)
  }

  /// Whether a text is this key, found out in a time that does not depend on where they differ.
  func matches(_ other: String) -> Bool {
    let (own, others) = (Array(text.utf8), Array(other.utf8))
    guard own.count == others.count else { return false }
    return zip(own, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension InboxKey: CustomStringConvertible, CustomReflectable {
  /// Never the key itself.
  public var description: String { "InboxKey" }
  /// Never the key itself.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
