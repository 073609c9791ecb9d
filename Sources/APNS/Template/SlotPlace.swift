import JSONText

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
