import PlainText

extension PlaceholderFault {
  /// The problem with a placeholder, given its text.
  func message(_ text: String) -> String {
    let text = quoted(text)
    return switch self {
    case .unclosed: "The placeholder \(text) is not closed."
    case .noName: "The placeholder \(text) names no variable."
    case .stray(let scalar):
      "In the placeholder \(text), \(quoted(String(scalar))) is not allowed there."
    case .unknownFilter(let name): "The placeholder \(text) has an unknown filter, \(quoted(name))."
    case .repeatedFilter(let name): "The placeholder \(text) has \(name) twice."
    case .badDefault: "In the placeholder \(text), the value of default is not in quotes."
    case .defaultNotNumber(let value):
      "In the placeholder \(text), the default \(quoted(value)) is not a number."
    case .badSpan(let span):
      "In the placeholder \(text), \(quoted(span)) is not a duration."
    case .filteredNow: "In the placeholder \(text), now does not take a filter."
    }
  }

  /// The fix; nil to use the rule's own.
  var fix: String? {
    switch self {
    case .unclosed: "Close it with }}, or write {{{{ for two braces."
    case .noName: "Write the name of a variable, as in {{name}}."
    case .stray("{"): "Write {{name}} with two braces, or {{{{ for two braces."
    case .stray: "Write {{name}}; a name consists of letters, digits, _, - and dots."
    case .unknownFilter(let name): Self.suggestion(for: name)
    case .repeatedFilter: "Remove one of them."
    case .badDefault: #"Write default('text'), and \' for a quote inside it."#
    case .defaultNotNumber: "Use a number, such as default('0')."
    case .badSpan: "Write now+15m or now-1h; the units are s, m, h, d and w."
    case .filteredNow: "Write {{now}} or {{now+15m}}."
    }
  }

  private static func suggestion(for name: String) -> String {
    let near = Suggestion.near(name.lowercased(), among: ["number", "default"]).first
    return near.map { "Did you mean \($0)?" } ?? "Use number or default('text')."
  }
}

extension TemplateSlot {
  /// The problem of filling the slot with a row's value.
  func problem(_ fault: SlotFault, _ name: String, in payload: DraftPayload) -> [Problem] {
    let finding = payload.finding(
      path, at: position, fault.message(name.printable), fix: fault.fix(isWhole: isWhole))
    return RuleTable.problems([finding], of: fault.rule)
  }
}

extension SlotFault {
  fileprivate var rule: String { self == .missing ? "placeholder-unfilled" : "placeholder-value" }

  fileprivate func message(_ name: String) -> String {
    switch self {
    case .missing: "The variable \(name) has no value."
    case .null: "The variable \(name) is null."
    case .notNumber(let text): "The variable \(name) is \(quoted(text)), not a number."
    case .invalidUTF8: "The variable \(name) is not UTF-8."
    case .structure: "The variable \(name) is an array or an object inside text."
    case .syntax(let error): "The variable \(name) is not valid here: \(error.message)"
    }
  }

  fileprivate func fix(isWhole: Bool) -> String? {
    switch self {
    case .missing: nil
    case .null, .notNumber: "Correct the value, or add a default: {{name|default('…')}}."
    case .invalidUTF8: "Save the list as UTF-8."
    case .structure: "Make the placeholder the whole value."
    case .syntax: "Correct the value."
    }
  }
}
