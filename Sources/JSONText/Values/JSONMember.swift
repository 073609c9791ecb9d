/// A key, its value, and the position of the key.
public struct JSONMember: Sendable, Hashable {
  /// The key, with escapes resolved.
  public var key: String

  /// The position at which the key begins; nil for a member created in memory.
  public var keyPosition: JSONPosition?

  /// The value.
  public var value: JSON

  /// A member of an object.
  public init(key: String, at keyPosition: JSONPosition? = nil, value: JSON) {
    self.key = key
    self.keyPosition = keyPosition
    self.value = value
  }

  /// Compares key and value and ignores positions.
  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.value == right.value
  }

  /// Hashes key and value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(value)
  }
}
