import JSONText

/// A placeholder of a payload, ready to be filled. A class, because every row is led past every slot,
/// and copying what a slot holds would take longer than filling it.
final class TemplateSlot: Sendable {
  /// How far a rule can tell one value from another.
  enum Influence: Sendable {
    /// Not at all: text goes on around the placeholder, and no rule asks for the words.
    case none
    /// Whether it is blank: nothing else that can be seen is in the text.
    case blankness
    /// By its JSON type, and text by being blank.
    case kind
    /// By its JSON type, but an array or object by all that is in it.
    case kindAndInside
    /// By the whole value.
    case value
  }

  /// A value for every row that has none of its own.
  struct Fixed: Sendable {
    let kind: TemplateValues.Kind
    let bytes: [UInt8]
  }

  /// Which of the template's names it takes.
  let name: Int
  /// Where the template's own bytes before the slot end.
  let literalEnd: Int
  /// Whether it is all of the text, so that the value keeps its JSON type.
  let isWhole: Bool
  /// Whether the value has to be a number.
  let isNumber: Bool
  /// For rows that do not have the variable.
  let fixed: Fixed?
  /// For a value that is missing, null or empty: the bytes to put into the payload.
  let fallback: [UInt8]?
  /// How far the rules look at it.
  let influence: Influence
  /// Whether it is in the value of one of Apple's keys in `aps`, which must not become null.
  let isOfApple: Bool
  /// How many objects and arrays enclose it.
  let depth: Int
  /// Where the text is in the payload.
  let path: PayloadPath
  /// Where the text begins in the file.
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

/// Why a slot cannot be filled with a value.
enum SlotFault: Sendable, Hashable {
  /// The row does not have the variable, and there is no default.
  case missing
  /// It is null, where text, a number or the value of one of Apple's keys has to be.
  case null
  /// It is this, where a number has to be.
  case notNumber(String)
  /// Its bytes are not text.
  case invalidUTF8
  /// It is an array or an object, where text goes on around it.
  case structure
  /// It is not JSON, or nests too deep.
  case syntax(JSONSyntaxError)
}

extension TemplateSlot {
  /// Appends what a value becomes in the payload.
  ///
  /// - Returns: why it is not allowed here; some of it may have been appended.
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

  // Escapes are spelled anew, for a payload is to have the fewest bytes.
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
