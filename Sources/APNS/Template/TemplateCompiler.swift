import JSONText

/// Compiles a payload with placeholders.
struct TemplateCompiler {
  private(set) var form = TemplateForm()
  private let variables: [String: JSON]
  private let now: Int64
  private let payload: DraftPayload

  init(_ payload: DraftPayload, _ variables: [String: JSON], now: Int64) {
    self.payload = payload
    self.variables = variables
    self.now = now
    if let json = payload.json { write(json, at: PayloadPath(), depth: 0) }
  }

  private mutating func write(_ value: JSON, at path: PayloadPath, depth: Int) {
    switch value.content {
    case .object(let object): write(object, at: path, depth: depth)
    case .array(let elements):
      form.literal.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { form.literal.append(UInt8(ascii: ",")) }
        write(element, at: path.index(index), depth: depth + 1)
      }
      form.literal.append(UInt8(ascii: "]"))
    case .string(let text) where TemplateText.isTemplate(text):
      write(TemplateText(text), of: value, at: path, depth: depth)
    case .null, .bool, .number, .string: form.literal += value.encoded(.wire)
    }
  }

  private mutating func write(_ object: JSONObject, at path: PayloadPath, depth: Int) {
    form.literal.append(UInt8(ascii: "{"))
    for (index, member) in object.members.enumerated() {
      if index > 0 { form.literal.append(UInt8(ascii: ",")) }
      refusePlaceholders(in: member, at: path)
      form.literal += JSON(.string(member.key)).encoded(.wire)
      form.literal.append(UInt8(ascii: ":"))
      write(member.value, at: path.key(member.key), depth: depth + 1)
    }
    form.literal.append(UInt8(ascii: "}"))
  }

  private mutating func refusePlaceholders(in member: JSONMember, at path: PayloadPath) {
    guard TemplateText.isTemplate(member.key) else { return }
    let text = TemplateText(member.key)
    let isPlain = text.pieces.allSatisfy { if case .text = $0 { true } else { false } }
    if isPlain, text.faults.isEmpty { return }
    let finding = payload.finding(
      path.key(member.key), at: member.keyPosition,
      "The key \(quoted(member.key)) contains a placeholder.")
    form.problems += RuleTable.problems([finding], of: "placeholder-key")
  }

  private mutating func write(
    _ text: TemplateText, of value: JSON, at path: PayloadPath, depth: Int
  ) {
    let findings = text.faults.map { fault, text in
      payload.finding(path, value, fault.message(text), fix: fault.fix)
    }
    form.problems += RuleTable.problems(findings, of: "placeholder-form")
    let place = SlotPlace(path: path, position: value.position, depth: depth, text: text)
    if let placeholder = text.onlyPlaceholder, text.faults.isEmpty {
      return write(placeholder, place)
    }
    form.literal.append(UInt8(ascii: "\""))
    for piece in text.pieces {
      switch piece {
      case .text(let text): form.literal.appendEscaped(text, all: false)
      case .placeholder(let placeholder): write(placeholder, place)
      }
    }
    form.literal.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ placeholder: Placeholder, _ place: SlotPlace) {
    switch placeholder.source {
    case .now(let offset): form.literal += Array(String(now + offset).utf8)
    case .variable(let name):
      let slot = place.slot(
        for: placeholder, index(of: name), fixed: variables[name], after: form.literal.count)
      form.slots.append(slot)
    }
  }

  private mutating func index(of name: String) -> Int {
    if let index = form.names.firstIndex(of: name) { return index }
    form.names.append(name)
    return form.names.count - 1
  }
}
