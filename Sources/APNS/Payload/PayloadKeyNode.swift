/// A row of ``PayloadKey/table`` with the rows of its nested keys, so that a payload and the table
/// can be walked in parallel.
final class PayloadKeyNode: Sendable {
  /// The row.
  let key: PayloadKey
  /// The path of the value in a payload.
  let path: PayloadPath
  /// The rows of the nested keys, by name. Empty if the app defines the contents.
  let children: [String: PayloadKeyNode]

  /// The payload as a whole, which has no row in the table.
  static let root = PayloadKeyNode(
    PayloadKey("", .object, summary: "The payload.", explanation: ""), at: PayloadPath())
  /// `aps`
  static let aps = root.children["aps"] ?? root

  private init(_ key: PayloadKey, at path: PayloadPath) {
    self.key = key
    self.path = path
    let inside = (Self.rows[key.path] ?? []).map { name, row in
      (name, PayloadKeyNode(row, at: path.key(name)))
    }
    children = Dictionary(inside) { first, _ in first }
  }

  /// The table's rows by the path of their parent, each with its own name.
  private static let rows: [String: [(name: String, key: PayloadKey)]] = {
    var rows: [String: [(String, PayloadKey)]] = [:]
    for key in PayloadKey.table {
      let dot = key.path.utf8.lastIndex(of: UInt8(ascii: "."))
      let parent = dot.map { String(key.path[..<$0]) } ?? ""
      let name = dot.map { String(key.path[$0...].dropFirst()) } ?? key.path
      rows[parent, default: []].append((name, key))
    }
    return rows
  }()

  /// The key that a push type requires by a separate rule; nil for none.
  static func own(of type: PushType?) -> PayloadKeyNode? {
    owned.first { $0.type == type }?.node
  }

  private static let owned = PushType.table.compactMap { row in
    row.ownKey.flatMap(root.node(at:)).map { (type: row.type, node: $0) }
  }

  private func node(at path: String) -> PayloadKeyNode? {
    path.split(separator: ".").reduce(self as PayloadKeyNode?) { $0?.children[String($1)] }
  }
}
