public import JSONText

/// A draft whose payload has placeholders, compiled once and rendered for each row.
///
/// `{{name}}` inside text inserts a variable; as the whole text it keeps the variable's JSON type.
/// `{{name|number}}` converts to a number, `{{name|default('text')}}` replaces a value that is
/// missing, null or empty, `{{now+15m}}` is a time in seconds since 1970, and `{{{{` writes `{{`.
/// Values are inserted into the payload's tree and not its text, so that none can add a key.
public struct Template: Sendable {
  private let judge: RowJudge
  private let form: TemplateForm

  /// Compiles a draft; nil if no text in its payload contains `{{`.
  ///
  /// - Parameters:
  ///   - draft: the draft as written.
  ///   - variables: values for rows that do not have their own; they keep their JSON types.
  ///   - context: the context for the rules, with the time that `{{now}}` writes.
  public init?(_ draft: Draft, variables: [String: JSON] = [:], in context: RuleContext) {
    guard let payload = draft.payload, payload.json?.hasPlaceholders ?? false else { return nil }
    judge = RowJudge(draft, context)
    form = TemplateCompiler(payload, variables, now: context.now).form
  }

  /// The variables, without duplicates, in the order of the payload. Without any, one rendering
  /// serves all rows.
  public var names: [String] { form.names }

  /// The variables that every row has to provide: those without a value for all rows and, in at
  /// least one place, without a default.
  public var neededNames: [String] { form.neededNames }

  /// The problems that are independent of the rows, including warnings.
  ///
  /// If placeholders are invalid, they are reported along with the problems of the headers. A valid
  /// template is filled with samples, such as each word that Apple allows for a key, and only
  /// problems common to all these payloads are reported. The length counted is that of the constant
  /// part.
  public var problems: [Problem] {
    if form.problems.isEmpty { return TemplateTrial(form, judge).commonProblems() }
    return RuleTable.problems(in: judge.draft, judge.context).filter(\.isAboutHeader)
      + form.problems
  }

  /// Fills the draft for a recipient without variables.
  ///
  /// - Throws: `BrokenRules` if placeholders are invalid or have no value. Rules are not checked:
  ///   the result is a draft.
  public func filled() throws(BrokenRules) -> Draft {
    if !form.problems.isEmpty { throw BrokenRules(form.problems) }
    let values = TemplateValues(missing: form.names.count)
    var payload: [UInt8] = []
    var traits: [UInt8] = []
    guard form.write(values, into: &payload, traits: &traits) else {
      throw BrokenRules(form.problems(values, in: judge.draft))
    }
    return judge.filled(payload)
  }

  /// Creates a renderer for the rows.
  ///
  /// - Parameter force: true to send rows that break rules.
  /// - Throws: `BrokenRules` if placeholders are invalid, even with force.
  public func renderer(force: Bool = false) throws(BrokenRules) -> TemplateRenderer {
    if !form.problems.isEmpty { throw BrokenRules(form.problems) }
    return TemplateRenderer(form, judge, isForced: force)
  }
}

extension Draft {
  /// The problems that trailing commas and comments in the payload would hide; empty if anything
  /// else keeps it from being JSON.
  ///
  /// - Parameters:
  ///   - variables: values for rows that do not have their own.
  ///   - context: the context for the rules.
  public func problemsBehindSlips(
    _ variables: [String: JSON] = [:], in context: RuleContext
  ) -> [Problem] {
    guard let mended = payload?.mended else { return [] }
    var draft = self
    draft.payload = mended
    let template = Template(draft, variables: variables, in: context)
    let known = RuleTable.problems(in: self, context)
    let problems = template?.problems ?? RuleTable.problems(in: draft, context)
    return problems.filter { !known.contains($0) }
  }
}

extension JSON {
  /// True if rendering differs from copying.
  fileprivate var hasPlaceholders: Bool {
    switch content {
    case .string(let text): TemplateText.isTemplate(text)
    case .array(let elements): elements.contains(where: \.hasPlaceholders)
    case .object(let object):
      object.members.contains { TemplateText.isTemplate($0.key) || $0.value.hasPlaceholders }
    case .null, .bool, .number: false
    }
  }
}

extension Problem {
  fileprivate var isAboutHeader: Bool { if case .header = place { true } else { false } }
}

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
