/// The members of a JSON object in the order written, with distinct keys.
///
/// Keys are compared as Swift strings: canonically equivalent spellings of `é` are the same key.
public struct JSONObject: Sendable, Hashable {
  /// The members in order.
  public private(set) var members: [JSONMember]

  /// Creates an object; if a key occurs more than once, its last value counts.
  public init(_ members: [JSONMember] = []) {
    self.members = []
    var places: [String: Int] = [:]
    for member in members {
      if let place = places[member.key] {
        self.members[place].value = member.value
      } else {
        places[member.key] = self.members.count
        self.members.append(member)
      }
    }
  }

  /// Creates an object from members known to have distinct keys.
  package init(distinct members: [JSONMember]) { self.members = members }

  /// The value of a key. Setting it keeps the place of an existing key, appends a new one, and
  /// removes the member if the new value is nil.
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
