/// A row of ``PayloadKey/table`` with the rows of the keys inside it, so that a payload and the
/// table can be walked side by side.
final class PayloadKeyNode: Sendable {
  /// The row; nil for the payload as a whole.
  let key: PayloadKey?
  /// Where the value is in a payload.
  let path: PayloadPath
  /// The rows of the keys inside, by their names. Empty where the app says what stands inside.
  let children: [String: PayloadKeyNode]

  /// The payload as a whole.
  static let root = PayloadKeyNode(nil, at: PayloadPath())
  /// `aps`
  static let aps = root.children["aps"] ?? root

  private init(_ key: PayloadKey?, at path: PayloadPath) {
    self.key = key
    self.path = path
    let prefix = key.map { $0.path + "." } ?? ""
    let inside = PayloadKey.table.compactMap { row -> (String, PayloadKeyNode)? in
      guard row.path.hasPrefix(prefix), row.path != key?.path else { return nil }
      let name = String(row.path.dropFirst(prefix.count))
      return name.contains(".") ? nil : (name, PayloadKeyNode(row, at: path.key(name)))
    }
    children = Dictionary(inside) { first, _ in first }
  }
}
