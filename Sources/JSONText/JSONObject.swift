/// The members of a JSON object in the order they were written. No key occurs twice.
public struct JSONObject: Sendable, Hashable {
  /// The members in order.
  public private(set) var members: [JSONMember]

  /// An object with these members; of members with the same key the last one counts.
  public init(_ members: [JSONMember] = []) {
    self.members = []
    for member in members { self[member.key] = member.value }
  }

  /// An object from members that are known to have distinct keys.
  package init(distinct members: [JSONMember]) { self.members = members }

  /// The value of a key. Setting keeps the place of a key that is there already, appends a new
  /// one, and removes the member when the new value is nil.
  public subscript(key: String) -> JSON? {
    get { members.first { $0.key == key }?.value }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(JSONMember(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }
}

/// A key, its value, and where the key stands.
public struct JSONMember: Sendable, Hashable {
  /// The key, with escapes resolved.
  public var key: String

  /// Where the key begins; nil when the member was made in memory.
  public var keyPosition: JSONPosition?

  /// The value of the key.
  public var value: JSON

  /// A member of an object.
  public init(key: String, at keyPosition: JSONPosition? = nil, value: JSON) {
    self.key = key
    self.keyPosition = keyPosition
    self.value = value
  }

  /// Compares key and value; where they were read from does not count.
  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.value == right.value
  }

  /// Hashes key and value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(value)
  }
}
