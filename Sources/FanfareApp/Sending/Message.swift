internal import APNS
internal import JSONText
internal import Recipients

/// What is sent to every recipient: headers and payload, checked or forced.
struct Message {
  /// What the pushes carry.
  enum Content {
    /// The same bytes for every recipient.
    case payload(Payload)
    /// What each recipient's row makes of it.
    case template(TemplateRenderer)
    /// What each recipient's row holds.
    case rows(PayloadRows)
  }

  let fields: [HeaderField]
  let content: Content
  let apnsID: APNSID?
  private(set) var warnings: [Problem]
  /// The payload as it is sent, or the template of which it is rendered.
  private(set) var text: [UInt8] = []
  /// What placeholders take where a row has no value.
  private(set) var variables: [String: JSON] = [:]

  /// Makes a message of a draft.
  ///
  /// - Throws: `Failure.problems` with everything that is wrong when anything is, or, with force,
  ///   when something is that no force can send.
  ///
  /// - Parameters:
  ///   - variables: what placeholders take where a row has no value.
  ///   - others: what is wrong with the draft by other rules, which force overrides.
  init(
    _ draft: Draft, variables: [String: JSON] = [:], in context: RuleContext,
    beside others: [Problem] = [], force: Bool
  ) throws(Failure) {
    do throws(BrokenRules) {
      let template = Template(draft, variables: variables, in: context)
      if let template, !template.names.isEmpty {
        self = try Message(template, of: draft, in: context, force: force)
        text = draft.payload?.bytes ?? []
        self.variables = variables
      } else {
        let draft = try template?.filled() ?? draft
        self = try force ? Self.forced(draft, in: context) : Self.checked(draft, in: context)
        text = constantPayload?.bytes ?? []
      }
    } catch {
      throw .problems(error.problems + others)
    }
    if !force, !others.isEmpty { throw .problems(warnings + others) }
    warnings += others
  }

  /// A message of a draft whose rules were judged before, and in which no placeholder is filled.
  init(asItStands draft: Draft, in context: RuleContext) throws(Failure) {
    do throws(BrokenRules) {
      self = try Self.forced(draft, in: context)
      text = draft.payload?.bytes ?? []
    } catch {
      throw .problems(error.problems)
    }
  }

  /// A message whose payloads were made before: each row holds its own.
  ///
  /// - Parameters:
  ///   - draft: the template, of which they were made.
  ///   - variables: what its placeholders took where a row had no value.
  init(rowsOf draft: Draft, variables: [String: JSON], in context: RuleContext) throws(Failure) {
    do throws(BrokenRules) {
      self.init(
        fields: try draft.fieldsForced(in: context), content: .rows(PayloadRows()), apnsID: nil,
        warnings: [])
    } catch {
      throw .problems(error.problems)
    }
    text = draft.payload?.bytes ?? []
    self.variables = variables
  }

  private init(
    fields: [HeaderField], content: Content, apnsID: APNSID?, warnings: [Problem]
  ) {
    self.fields = fields
    self.content = content
    self.apnsID = apnsID
    self.warnings = warnings
  }

  private init(
    _ template: Template, of draft: Draft, in context: RuleContext, force: Bool
  ) throws(BrokenRules) {
    let problems = template.problems
    let isBroken = problems.contains { $0.severity == .error && !(force && $0.isForceable) }
    if isBroken { throw BrokenRules(problems) }
    self.init(
      fields: try draft.fieldsForced(in: context),
      content: .template(try template.renderer(force: force)),
      apnsID: draft.apnsID.flatMap { APNSID($0) }, warnings: problems)
  }

  private static func checked(
    _ draft: Draft, in context: RuleContext
  ) throws(BrokenRules) -> Message {
    let notification = try Notification(draft, in: context)
    return Message(
      fields: notification.fields, content: .payload(notification.payload),
      apnsID: notification.apnsID, warnings: notification.warnings)
  }

  private static func forced(
    _ draft: Draft, in context: RuleContext
  ) throws(BrokenRules) -> Message {
    let problems = RuleTable.problems(in: draft, context)
    let fields = try draft.fieldsForced(in: context)
    guard let payload = draft.payload.flatMap({ Payload($0.bytes) }) else {
      throw BrokenRules(problems)
    }
    return Message(
      fields: fields, content: .payload(payload), apnsID: draft.apnsID.flatMap { APNSID($0) },
      warnings: problems)
  }

  /// What every recipient gets; nil when each row is rendered.
  var constantPayload: Payload? {
    if case .payload(let payload) = content { payload } else { nil }
  }

  /// What makes each row's payload; nil when all get the same.
  var rendering: (any RowRendering)? {
    switch content {
    case .payload: nil
    case .template(let renderer): renderer
    case .rows(let rows): rows
    }
  }

  /// The payload of a recipient without variables.
  ///
  /// - Throws: `Failure.problems` when a placeholder has no value, or a rule is broken.
  func payload() throws(Failure) -> Payload {
    do throws(BrokenRules) {
      switch content {
      case .payload(let payload): return payload
      case .template(var renderer): return try renderer.payloadWithoutVariables()
      case .rows(let rows): return try rows.payloadWithoutRow()
      }
    } catch {
      throw .problems(error.problems)
    }
  }
}
