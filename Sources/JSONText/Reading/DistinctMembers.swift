/// The members of an object while it is being read, with a fast check for duplicate keys.
struct DistinctMembers {
  private(set) var members: [JSONMember] = []

  /// All keys, once there are too many members for a linear search.
  private var keys: Set<String> = []

  /// The number of members up to which a linear search costs less than hashing.
  private static var scanLimit: Int { 8 }

  /// The position at which a key was read before; nil for a new key.
  func position(of key: String) -> JSONPosition? {
    guard members.count <= Self.scanLimit || keys.contains(key) else { return nil }
    return members.first { $0.key == key }?.keyPosition
  }

  /// Adds a member whose key is new.
  mutating func append(_ member: JSONMember) {
    members.append(member)
    if members.count > Self.scanLimit + 1 {
      keys.insert(member.key)
    } else if members.count > Self.scanLimit {
      keys = Set(members.map(\.key))
    }
  }
}
