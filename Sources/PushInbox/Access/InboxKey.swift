/// The secret that gives access to the inbox, to read every push and change the emulator.
public struct InboxKey: Sendable, Equatable {
  /// The minimum length in characters.
  public static let shortest = 16
  /// The maximum length in characters.
  public static let longest = 256

  /// The characters: letters, digits, `-` and `_`, so it can be part of a URL.
  public let text: String

  /// Generates a key of 128 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Uses a given key; nil if it is too short, too long or contains other characters.
  public init?(_ text: some StringProtocol) {
    let isFitting = text.utf8.allSatisfy { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII
        && (character.isLetter || character.isNumber || "-_".contains(character))
    }
    guard isFitting, Self.shortest...Self.longest ~= text.utf8.count else { return nil }
    self.text = String(text)
  }

  /// Compares in a time that does not depend on where the texts differ.
  func matches(_ other: String) -> Bool {
    let (own, others) = (Array(text.utf8), Array(other.utf8))
    guard own.count == others.count else { return false }
    return zip(own, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension InboxKey: CustomStringConvertible, CustomReflectable {
  /// A description without the key.
  public var description: String { "InboxKey" }
  /// A description without the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
