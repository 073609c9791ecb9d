import JSONText

/// A placeholder of a payload, ready to be filled. A class because every row passes through every
/// slot, and copying a slot would take longer than filling it.
final class TemplateSlot: Sendable {
  /// The extent to which a value matters to rules.
  enum Influence: Sendable {
    /// Not at all: there is other text around the placeholder, and no rule checks the words.
    case none
    /// Only if it is blank, because the text has nothing else visible.
    case blankness
    /// Its JSON type, and for text if it is blank.
    case kind
    /// Its JSON type, and for an array or object its whole contents.
    case kindAndInside
    /// The whole value.
    case value
  }

  /// A value for rows that do not have their own.
  struct Fixed: Sendable {
    let kind: TemplateValues.Kind
    let bytes: [UInt8]
  }

  /// The index of the variable in the template's names.
  let name: Int
  /// The end of the template's own bytes before the slot.
  let literalEnd: Int
  /// True if the placeholder is the whole text, so that the value keeps its JSON type.
  let isWhole: Bool
  /// True if the value has to be a number.
  let isNumber: Bool
  /// The value for rows that lack the variable.
  let fixed: Fixed?
  /// The bytes to write for a value that is missing, null or empty.
  let fallback: [UInt8]?
  /// The extent to which the value matters to rules.
  let influence: Influence
  /// True for the value of one of Apple's keys in `aps`, which must not become null.
  let isOfApple: Bool
  /// The number of enclosing objects and arrays.
  let depth: Int
  /// The path of the text in the payload.
  let path: PayloadPath
  /// The position at which the text begins in the file.
  let position: JSONPosition?

  init(
    name: Int, literalEnd: Int, _ placeholder: Placeholder, isWhole: Bool, fixed: Fixed?,
    fallback: [UInt8]?, influence: Influence, isOfApple: Bool, depth: Int, path: PayloadPath,
    position: JSONPosition?
  ) {
    self.name = name
    self.literalEnd = literalEnd
    self.isWhole = isWhole
    isNumber = placeholder.isNumber
    self.fixed = fixed
    self.fallback = fallback
    self.influence = influence
    self.isOfApple = isOfApple
    self.depth = depth
    self.path = path
    self.position = position
  }
}

/// The reason a slot cannot be filled with a value.
enum SlotFault: Sendable, Hashable {
  /// The row lacks the variable, and there is no default.
  case missing
  /// The value is null in place of text, a number or the value of one of Apple's keys.
  case null
  /// The value is this text in place of a number.
  case notNumber(String)
  /// The value is not valid UTF-8.
  case invalidUTF8
  /// The value is an array or an object inside text.
  case structure
  /// The value is not JSON, or nests too deep.
  case syntax(JSONSyntaxError)
}

extension TemplateSlot {
  /// Appends a value in its form for the payload.
  ///
  /// - Returns: the reason it is not allowed here, in which case part of it may have been appended.
  func fill(
    _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>, into payload: inout [UInt8]
  ) -> SlotFault? {
    switch kind {
    case .missing:
      guard let fixed else { return appendFallback(to: &payload) ? nil : .missing }
      return fixed.bytes.withUnsafeBufferPointer { fill(fixed.kind, $0, into: &payload) }
    case .text: return fill(text: value, into: &payload)
    case .json: return fill(json: value, into: &payload)
    }
  }

  private func appendFallback(to payload: inout [UInt8]) -> Bool {
    guard let fallback else { return false }
    payload.append(contentsOf: fallback)
    return true
  }

  private func fill(
    text: UnsafeBufferPointer<UInt8>, into payload: inout [UInt8]
  ) -> SlotFault? {
    if text.isEmpty, appendFallback(to: &payload) { return nil }
    if isNumber {
      guard text.isJSONNumber else { return .notNumber(String(decoding: text, as: UTF8.self)) }
      payload.append(contentsOf: text)
      return nil
    }
    guard text.firstInvalidUTF8 == nil else { return .invalidUTF8 }
    if isWhole { payload.append(UInt8(ascii: "\"")) }
    payload.appendEscaped(text, all: false)
    if isWhole { payload.append(UInt8(ascii: "\"")) }
    return nil
  }

  private func fill(
    json: UnsafeBufferPointer<UInt8>, into payload: inout [UInt8]
  ) -> SlotFault? {
    switch json.first {
    case UInt8(ascii: "\""): return fill(string: json, into: &payload)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return fill(structure: json, into: &payload)
    case UInt8(ascii: "n"):
      if appendFallback(to: &payload) { return nil }
      if isNumber || !isWhole || isOfApple { return .null }
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      if isNumber { return .notNumber(String(decoding: json, as: UTF8.self)) }
    default: break
    }
    payload.append(contentsOf: json)
    return nil
  }

  // Escapes are rewritten to give the payload the fewest bytes.
  private func fill(
    string: UnsafeBufferPointer<UInt8>, into payload: inout [UInt8]
  ) -> SlotFault? {
    guard string.contains(UInt8(ascii: "\\")) else {
      let inside = string.dropFirst().dropLast()
      return fill(text: UnsafeBufferPointer(rebasing: inside), into: &payload)
    }
    do throws(JSONSyntaxError) {
      var text = try JSONReader().read(string).string ?? ""
      return text.withUTF8 { fill(text: $0, into: &payload) }
    } catch {
      return .syntax(error)
    }
  }

  private func fill(
    structure: UnsafeBufferPointer<UInt8>, into payload: inout [UInt8]
  ) -> SlotFault? {
    guard isWhole else { return .structure }
    if isNumber { return .notNumber(String(decoding: structure.prefix(256), as: UTF8.self)) }
    do throws(JSONSyntaxError) {
      let reader = JSONReader(depthLimit: JSONReader.usualDepth - depth)
      payload.append(contentsOf: try reader.read(structure).encoded(.wire))
      return nil
    } catch {
      return .syntax(error)
    }
  }
}

/// A text in a payload that contains placeholders.
struct SlotPlace {
  let path: PayloadPath
  let position: JSONPosition?
  let depth: Int
  let text: TemplateText

  /// The slot for one of its placeholders.
  func slot(
    for placeholder: Placeholder, _ name: Int, fixed: JSON?, after literalEnd: Int
  ) -> TemplateSlot {
    let isWhole = text.onlyPlaceholder != nil
    return TemplateSlot(
      name: name, literalEnd: literalEnd, placeholder, isWhole: isWhole,
      fixed: fixed.map(TemplateSlot.Fixed.init),
      fallback: placeholder.fallback.map { fallback($0, placeholder, isWhole: isWhole) },
      influence: influence(isWhole: isWhole), isOfApple: isOfApple, depth: depth, path: path,
      position: position)
  }

  private func fallback(_ text: String, _ placeholder: Placeholder, isWhole: Bool) -> [UInt8] {
    if placeholder.isNumber { return Array(text.utf8) }
    let quoted = JSON(.string(text)).encoded(.wire)
    return isWhole ? quoted : Array(quoted.dropFirst().dropLast())
  }

  // Rules that check values concern Apple's keys, and the app's own `priority`, which they take for
  // the header if it is one of APNs' numbers.
  private func influence(isWhole: Bool) -> TemplateSlot.Influence {
    let key = PayloadKeyNode.row(at: path)
    let isNamed = [PayloadPath("priority"), PayloadPath(SimulatorTarget.key)].contains(path)
    if isNamed || key.map({ $0.values != .any }) ?? false { return .value }
    if isWhole { return isLookedInto ? .kindAndInside : .kind }
    return hasText ? .none : .blankness
  }

  private var isOfApple: Bool {
    path.steps.starts(with: PayloadKeyNode.aps.path.steps) && PayloadKeyNode.row(at: path) != nil
  }

  private var isLookedInto: Bool {
    guard case .key(let first)? = path.steps.first else { return true }
    return PayloadKeyNode.root.children[first] != nil || first == MistakenPayload.wrapper
  }

  private var hasText: Bool {
    text.pieces.contains { if case .text(let text) = $0 { !text.isBlank } else { false } }
      || text.pieces.contains { if case .placeholder(let one) = $0 { one.isNow } else { false } }
  }
}

extension Placeholder {
  fileprivate var isNow: Bool { if case .now = source { true } else { false } }
}

extension TemplateSlot.Fixed {
  fileprivate init(_ value: JSON) {
    if let text = value.string {
      self.init(kind: .text, bytes: Array(text.utf8))
    } else {
      self.init(kind: .json, bytes: value.encoded(.wire))
    }
  }
}

extension PayloadKeyNode {
  /// The row of the value at a path; nil if Apple does not define it.
  static func row(at path: PayloadPath) -> PayloadKey? {
    var node = root
    for step in path.steps {
      guard case .key(let key) = step, let child = node.children[key] else { return nil }
      node = child
    }
    return node.key
  }
}
