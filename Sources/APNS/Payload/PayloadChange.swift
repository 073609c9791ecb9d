public import JSONText

/// One change to a payload, as `aps.alert.title=TEXT`, `aps.badge:=3` or `aps.sound:=` write it.
///
/// A path leads through objects and arrays; a number names an array's element. A backslash takes its
/// meaning from a dot, an equals sign, a colon or a backslash in a key.
public struct PayloadChange: Sendable, Hashable {
  /// The change as it was written.
  public let text: String
  /// The path as it was written.
  public let path: String
  /// The keys of the path, from the top.
  public let keys: [String]
  /// The value that is set; nil removes the one that is there.
  public let value: JSON?

  /// Reads `PATH=TEXT`, `PATH:=JSON` or `PATH:=`.
  public init(_ text: String) throws(PayloadChangeTextError) {
    var reader = PathReader(rest: text.unicodeScalars[...])
    try reader.read()
    let written = String(reader.rest)
    self.text = text
    keys = reader.keys
    let sign = reader.isJSON ? ":=" : "="
    path = String(text.unicodeScalars.dropLast(reader.rest.count + sign.unicodeScalars.count))
    if reader.isJSON {
      value = try Self.json(written, at: path)
    } else {
      value = JSON(.string(written))
    }
  }

  private static func json(_ text: String, at path: String) throws(PayloadChangeTextError) -> JSON?
  {
    if text.allSatisfy(\.isWhitespace) { return nil }
    do throws(JSONSyntaxError) { return try JSONReader().read(text) } catch {
      throw .notJSON(path: path, error)
    }
  }
}

/// Why a text is not a change to a payload.
public enum PayloadChangeTextError: Error, Sendable, Hashable {
  /// There is no `=` behind the path.
  case noSign
  /// The path is empty, or begins or ends with a dot, or has two in a row.
  case emptyKey
  /// A backslash precedes a character that needs none.
  case badEscape
  /// The path is longer than a payload is deep.
  case tooDeep
  /// What follows `:=` is not JSON.
  case notJSON(path: String, JSONSyntaxError)
}

/// Splits a path into its keys, up to the sign behind it.
private struct PathReader {
  private static let escapable: [Unicode.Scalar] = [".", "=", ":", "\\"]
  private static let depthLimit = 32

  var rest: Substring.UnicodeScalarView
  private(set) var keys: [String] = []
  private(set) var isJSON = false
  private var key = String.UnicodeScalarView()

  init(rest: Substring.UnicodeScalarView) { self.rest = rest }

  static func escaped(_ key: String) -> String {
    key.unicodeScalars.map { escapable.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  mutating func read() throws(PayloadChangeTextError) {
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": try takeEscaped()
      case ".": try endKey()
      case "=": return try endKey()
      case ":" where rest.first == "=":
        rest.removeFirst()
        isJSON = true
        return try endKey()
      default: key.append(scalar)
      }
    }
    throw .noSign
  }

  private mutating func takeEscaped() throws(PayloadChangeTextError) {
    guard let scalar = rest.popFirst(), Self.escapable.contains(scalar) else { throw .badEscape }
    key.append(scalar)
  }

  private mutating func endKey() throws(PayloadChangeTextError) {
    if key.isEmpty { throw .emptyKey }
    if keys.count == Self.depthLimit { throw .tooDeep }
    keys.append(String(key))
    key.removeAll()
  }
}

extension [PayloadChange] {
  /// The payload with these changes, made one after the other.
  ///
  /// - Parameter payload: The payload to change; nil makes one.
  /// - Throws: `PayloadChangeError` at the first that finds no place.
  public func applied(to payload: JSON? = nil) throws(PayloadChangeError) -> JSON {
    var payload = payload ?? JSON(.object(JSONObject()))
    for change in self {
      if let meant = change.meantAsJSON {
        let place = change.keys.reduce(PayloadPath()) { $0.key($1) }
        throw PayloadChangeError(
          change: change.path, place: place, obstacle: .noText(meant: meant))
      }
      payload = try change.applied(to: payload, change.keys[...], at: PayloadPath()) ?? payload
    }
    return payload
  }
}

/// Why a change finds no place in a payload.
public struct PayloadChangeError: Error, Sendable, Hashable {
  /// What is in the way.
  public enum Obstacle: Sendable, Hashable {
    /// The value has no members: its kind, as ``JSONText/JSON/kind`` tells it.
    case noObject(kind: String)
    /// The key takes no text; what was probably meant sets JSON.
    case noText(meant: String)
    /// The array has no such element, and it would not be the next one.
    case noElement(key: String, count: Int)
  }

  /// The path of the change, as it was written.
  public let change: String
  /// The way to the value that is in the way; the empty path is the whole payload.
  public let place: PayloadPath
  /// What is there.
  public let obstacle: Obstacle

  /// The way to it as the path of a change writes it: `aps.alert.loc-args.0`.
  public var placeAsPath: String {
    let keys = place.steps.map { step in
      switch step {
      case .key(let key): PathReader.escaped(key)
      case .index(let index): String(index)
      }
    }
    return keys.joined(separator: ".")
  }
}

extension PayloadChange {
  /// The same with `:=`, where a key that takes no text would become the text of what it does take.
  fileprivate var meantAsJSON: String? {
    guard let string = value?.string, text == "\(path)=\(string)",
      let key = PayloadKey.table.first(where: { $0.path == keys.joined(separator: ".") }),
      !key.kinds.contains(.text), let json = try? JSONReader().read(string),
      key.kinds.contains(where: { $0.matches(json) })
    else { return nil }
    return "\(path):=\(string)"
  }

  /// A value with the change made in it; nil removes it.
  fileprivate func applied(
    to given: JSON?, _ keys: ArraySlice<String>, at place: PayloadPath
  ) throws(PayloadChangeError) -> JSON? {
    guard let key = keys.first else { return value }
    switch given?.content {
    case .array(let elements):
      return JSON(.array(try applied(to: elements, keys, at: place)), at: given?.position)
    case .object(var object):
      object[key] = try applied(to: object[key], keys.dropFirst(), at: place.key(key))
      return JSON(.object(object), at: given?.position)
    case nil:
      if value == nil { return nil }
      // The first element begins an array; any other number is a key like any word.
      let empty: JSON = key == "0" ? [] : [:]
      return try applied(to: empty, keys, at: place)
    default:
      throw obstacle(.noObject(kind: given?.kind ?? ""), at: place)
    }
  }

  private func applied(
    to elements: [JSON], _ keys: ArraySlice<String>, at place: PayloadPath
  ) throws(PayloadChangeError) -> [JSON] {
    let (key, count) = (keys.first ?? "", elements.count)
    guard key.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let index = Int(key), index <= count else {
      throw obstacle(.noElement(key: key, count: count), at: place)
    }
    // A bare nil would be JSON's null.
    let element: JSON? = index < count ? .some(elements[index]) : .none
    let changed = try applied(to: element, keys.dropFirst(), at: place.index(index))
    var elements = elements
    elements.replaceSubrange(
      index..<min(index + 1, count), with: changed.map { [$0] } ?? [])
    return elements
  }

  private func obstacle(
    _ obstacle: PayloadChangeError.Obstacle, at place: PayloadPath
  ) -> PayloadChangeError {
    PayloadChangeError(change: path, place: place, obstacle: obstacle)
  }
}
