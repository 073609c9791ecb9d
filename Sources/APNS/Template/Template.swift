public import JSONText

/// A draft whose payload has placeholders, compiled once and rendered for each row.
///
/// `{{name}}` inside a text takes the value of a variable; alone it takes the variable's JSON type.
/// `{{name|number}}` makes a number of it, `{{name|default('text')}}` stands in for a value that is
/// missing, null or empty, `{{now+15m}}` is a moment in seconds since 1970, and `{{{{` writes `{{`.
/// Values are put into the payload's tree and never into its text, so that none can add a key.
public struct Template: Sendable {
  private let judge: RowJudge
  private let form: TemplateForm

  /// Compiles a draft.
  ///
  /// - Parameters:
  ///   - draft: the draft as it was written. Nil is returned when no text of its payload holds `{{`.
  ///   - variables: values for every row that has none of its own under the name; they keep their
  ///     JSON types.
  ///   - context: what the rules have to know; its present is what `{{now}}` writes.
  public init?(_ draft: Draft, variables: [String: JSON] = [:], in context: RuleContext) {
    guard let payload = draft.payload, payload.json?.hasPlaceholders ?? false else { return nil }
    judge = RowJudge(draft, context)
    form = TemplateCompiler(payload, variables, now: context.now).form
  }

  /// The variables, each once, in the order of the payload. With none of them one rendering does
  /// for all rows.
  public var names: [String] { form.names }

  /// The variables that every row has to give: those without a value for all rows and without a
  /// default wherever they occur.
  public var neededNames: [String] { form.neededNames }

  /// What is wrong whatever the rows say, warnings included.
  ///
  /// Placeholders that cannot be read come with the problems of the headers. A readable template is
  /// filled with values that are valid in their places, such as each word that Apple takes for a
  /// key; what all of these payloads break is told. The length is that of the constant part.
  public var problems: [Problem] {
    if form.problems.isEmpty { return TemplateTrial(form, judge).commonProblems() }
    return RuleTable.problems(in: judge.draft, judge.context).filter(\.isAboutHeader)
      + form.problems
  }

  /// The draft filled for a recipient without variables.
  ///
  /// - Throws: `BrokenRules` when placeholders cannot be read, or have no value. The rules have not
  ///   been asked: the result is a draft.
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

  /// What renders the rows.
  ///
  /// - Parameter force: whether rows are sent that break rules.
  /// - Throws: `BrokenRules` when placeholders cannot be read, force or not.
  public func renderer(force: Bool = false) throws(BrokenRules) -> TemplateRenderer {
    if !form.problems.isEmpty { throw BrokenRules(form.problems) }
    return TemplateRenderer(form, judge, isForced: force)
  }
}

extension JSON {
  /// Whether rendering this means more than copying it.
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
