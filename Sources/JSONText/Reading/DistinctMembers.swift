/// The members of an object while it is being read, with a quick answer to whether a key was
/// there before.
struct DistinctMembers {
  private(set) var members: [JSONMember] = []

  /// All keys, once there are more than are quick to look through.
  private var keys: Set<String> = []

  /// Up to this many members are looked through one by one, which costs less than hashing.
  private static var scanLimit: Int { 8 }

  /// Where a key was read before; nil when it is new.
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
