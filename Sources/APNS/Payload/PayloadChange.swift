public import JSONText

/// A change to a payload, written as `aps.alert.title=TEXT`, `aps.badge:=3` or `aps.sound:=`.
///
/// A path leads through objects and arrays; a number selects an array's element. A backslash
/// escapes a dot, an equals sign, a colon or a backslash in a key.
public struct PayloadChange: Sendable, Hashable {
  /// The change as written.
  public let text: String
  /// The path as written.
  public let path: String
  /// The keys of the path, from the top.
  public let keys: [String]
  /// The value to set; nil removes the existing one.
  public let value: JSON?

  /// Parses `PATH=TEXT`, `PATH:=JSON` or `PATH:=`.
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

  /// Creates a change that sets the value of a path with these keys.
  public init(_ keys: [String], to value: JSON) {
    path = keys.map(PathReader.escaped).joined(separator: ".")
    text = "\(path):=\(value.encodedString(.compact))"
    (self.keys, self.value) = (keys, value)
  }

  private static func json(_ text: String, at path: String) throws(PayloadChangeTextError) -> JSON?
  {
    if text.allSatisfy(\.isWhitespace) { return nil }
    do throws(JSONSyntaxError) { return try JSONReader().read(text) } catch {
      throw .notJSON(path: path, error)
    }
  }
}

/// The reason a text is not a payload change.
public enum PayloadChangeTextError: Error, Sendable, Hashable {
  /// The path is not followed by `=`.
  case noSign
  /// The path is empty, begins or ends with a dot, or has two dots in a row.
  case emptyKey
  /// A backslash precedes a character that does not need it.
  case badEscape
  /// The path is deeper than a payload may be.
  case tooDeep
  /// The text after `:=` is not JSON.
  case notJSON(path: String, JSONSyntaxError)
}

/// Splits a path into its keys, up to the sign that follows it.
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
  /// Applies the changes to a payload, one after the other.
  ///
  /// - Parameter payload: The payload to change; nil creates one.
  /// - Throws: `PayloadChangeError` for the first change that cannot be applied.
  public func applied(to payload: JSON? = nil) throws(PayloadChangeError) -> JSON {
    var payload = payload ?? JSON(.object(JSONObject()))
    for change in self {
      if let meant = change.meantAsJSON {
        let place = change.keys.reduce(PayloadPath()) { $0.key($1) }
        throw PayloadChangeError(
          change: change.path, place: place, fault: .noText(meant: meant))
      }
      payload = try change.applied(to: payload, change.keys[...], at: PayloadPath()) ?? payload
    }
    return payload
  }
}

/// The reason a change cannot be applied to a payload.
public struct PayloadChangeError: Error, Sendable, Hashable {
  /// What prevents a change.
  public enum Fault: Sendable, Hashable {
    /// The value is not an object or array; `kind` is its ``JSONText/JSON/kind``.
    case noObject(kind: String)
    /// The key does not take text; `meant` is the change to JSON that was probably meant.
    case noText(meant: String)
    /// The array has no such element, nor is it the next one to append.
    case noElement(key: String, count: Int)
  }

  /// The path of the change, as written.
  public let change: String
  /// The path to what prevents it; the empty path is the whole payload.
  public let place: PayloadPath
  /// What prevents it.
  public let fault: Fault

  /// The path to the fault, in the form of a change: `aps.alert.loc-args.0`.
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
  /// The same change with `:=`, if the key does not take text but does take the text's JSON value.
  fileprivate var meantAsJSON: String? {
    guard let string = value?.string, text == "\(path)=\(string)",
      let key = PayloadKey.table.first(where: { $0.path == keys.joined(separator: ".") }),
      !key.kinds.contains(.text), let json = try? JSONReader().read(string),
      key.kinds.contains(where: { $0.matches(json) })
    else { return nil }
    return "\(path):=\(string)"
  }

  /// Returns the value with the change applied; nil removes it.
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
      // The element 0 creates an array; any other number is an ordinary key.
      let empty: JSON = key == "0" ? [] : [:]
      return try applied(to: empty, keys, at: place)
    default:
      throw fault(.noObject(kind: given?.kind ?? ""), at: place)
    }
  }

  private func applied(
    to elements: [JSON], _ keys: ArraySlice<String>, at place: PayloadPath
  ) throws(PayloadChangeError) -> [JSON] {
    let (key, count) = (keys.first ?? "", elements.count)
    guard key.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let index = Int(key), index <= count else {
      throw fault(.noElement(key: key, count: count), at: place)
    }
    // A bare nil would become JSON's null.
    let element: JSON? = index < count ? .some(elements[index]) : .none
    let changed = try applied(to: element, keys.dropFirst(), at: place.index(index))
    var elements = elements
    elements.replaceSubrange(
      index..<min(index + 1, count), with: changed.map { [$0] } ?? [])
    return elements
  }

  private func fault(
    _ fault: PayloadChangeError.Fault, at place: PayloadPath
  ) -> PayloadChangeError {
    PayloadChangeError(change: path, place: place, fault: fault)
  }
}
