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
