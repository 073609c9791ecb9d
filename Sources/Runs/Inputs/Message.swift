package import APNS
package import JSONText
package import PushModel
internal import Recipients
package import Reporting

/// The headers and payload for every recipient, checked or forced.
package struct Message {
  /// The source of the pushes' payloads.
  enum Content {
    /// The same bytes for every recipient.
    case payload(Payload)
    /// A template that each recipient's row fills.
    case template(TemplateRenderer)
    /// Payloads read from each recipient's row.
    case rows(PayloadRows)
  }

  /// The kind of target: a device or a channel.
  package var target = DraftTarget.device
  package let fields: [HeaderField]
  let content: Content
  package var apnsID: APNSID?
  package private(set) var warnings: [Problem] = []
  /// The payload as sent, or the template that it is rendered from.
  let text: [UInt8]
  /// Values for placeholders that a row does not fill.
  private(set) var variables: [String: JSON] = [:]
}

extension Message {
  /// Checks a draft.
  ///
  /// - Parameters:
  ///   - variables: values for placeholders that a row does not fill.
  ///   - others: problems with the draft from other rules, which force overrides.
  /// - Throws: `Failure.problems` with all problems; with force, only if one cannot be forced.
  package init(
    _ draft: Draft, variables: [String: JSON] = [:], in context: RuleContext,
    beside others: [Problem] = [], force: Bool
  ) throws(Failure) {
    let others = others + draft.problemsBehindSlips(variables, in: context)
    self = try Self.judged(beside: others) { () throws(BrokenRules) in
      let template = Template(draft, variables: variables, in: context)
      if let template, !template.names.isEmpty {
        return try Message(template, of: draft, variables, in: context, force: force)
      }
      let draft = try template?.filled() ?? draft
      if force { return try Message(forcing: draft, in: context) }
      let notification = try Notification(draft, in: context)
      return Message(
        target: draft.target, fields: notification.fields, content: .payload(notification.payload),
        apnsID: notification.apnsID, warnings: notification.warnings,
        text: notification.payload.bytes)
    }
    if !force, !others.isEmpty { throw .problems(warnings + others) }
    warnings += others
  }

  /// The message of a run that is resumed or resent. It was checked when the run began.
  ///
  /// - Parameter expiration: an `apns-expiration` to replace the run's; nil keeps the run's.
  /// - Throws: `Failure.damagedRun` if the history's record is not in this version's form.
  package init(
    _ record: RunRecord, _ inputs: RunInputs, expiration: DraftField? = nil,
    in context: RuleContext
  ) throws(Failure) {
    guard let headers = Self.object(record.headers), let variables = Self.object(record.variables)
    else { throw .damagedRun }
    var draft = Draft(payload: DraftPayload(reading: Array(record.payload.utf8)))
    draft.target = record.target
    draft.fields = headers.members.compactMap { member in
      member.value.string.map { DraftField(member.key, $0) }
    }
    if let expiration { draft[.expiration] = expiration }
    let values = Dictionary(variables.members.map { ($0.key, $0.value) }) { first, _ in first }
    if inputs.isTemplate, inputs.resends == nil {
      try self.init(draft, variables: values, in: context, force: true)
      return
    }
    self = try Self.judged { () throws(BrokenRules) in
      guard inputs.isTemplate else { return try Message(forcing: draft, in: context) }
      return Message(
        target: draft.target, fields: try draft.fieldsForced(in: context),
        content: .rows(PayloadRows()),
        text: draft.payload?.bytes ?? [], variables: values)
    }
  }

  private init(
    _ template: Template, of draft: Draft, _ variables: [String: JSON], in context: RuleContext,
    force: Bool
  ) throws(BrokenRules) {
    let problems = template.problems
    let isBroken = problems.contains { $0.severity == .error && !(force && $0.isForceable) }
    if isBroken { throw BrokenRules(problems) }
    self.init(
      target: draft.target, fields: try draft.fieldsForced(in: context),
      content: .template(try template.renderer(force: force)),
      apnsID: draft.apnsID.flatMap { APNSID($0) }, warnings: problems,
      text: draft.payload?.bytes ?? [], variables: variables)
  }

  private init(forcing draft: Draft, in context: RuleContext) throws(BrokenRules) {
    let problems = RuleTable.problems(in: draft, context)
    let fields = try draft.fieldsForced(in: context)
    guard let payload = draft.payload.flatMap({ Payload($0.bytes) }) else {
      throw BrokenRules(problems)
    }
    self.init(
      target: draft.target, fields: fields, content: .payload(payload),
      apnsID: draft.apnsID.flatMap { APNSID($0) },
      warnings: problems, text: payload.bytes)
  }

  private static func judged<Value>(
    beside others: [Problem] = [], _ make: () throws(BrokenRules) -> Value
  ) throws(Failure) -> Value {
    try attempt(try make()) { (error: BrokenRules) in .problems(error.problems + others) }
  }

  private static func object(_ text: String) -> JSONObject? {
    (try? JSONReader().read(Array(text.utf8)))?.object
  }
}

extension Message {
  /// The payload shared by all recipients; nil if each row is rendered.
  package var constantPayload: Payload? {
    if case .payload(let payload) = content { payload } else { nil }
  }

  /// The renderer of each row's payload; nil if all recipients get the same.
  package var rendering: (any RowRendering)? {
    switch content {
    case .payload: nil
    case .template(let renderer): renderer
    case .rows(let rows): rows
    }
  }

  /// The payload of a recipient without variables.
  ///
  /// - Throws: `Failure.problems` if a placeholder has no value, or a rule is broken.
  package func payload() throws(Failure) -> Payload {
    try Self.judged { () throws(BrokenRules) in
      switch content {
      case .payload(let payload): return payload
      case .template(var renderer): return try renderer.payloadWithoutVariables()
      case .rows(let rows): return try rows.payloadWithoutRow()
      }
    }
  }

  package subscript(name: HeaderName) -> String? { fields.first { $0.name == name }?.value }

  /// The expiration in seconds since 1970; nil if none is given, or if it is 0, a single attempt.
  package var expiresAt: Int64? {
    self[.expiration].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Fills in the parts of the message that the history keeps.
  package func write(to record: inout RunRecord) {
    record.headers = JSON.headers(fields.map { ($0.name.text, $0.value) }).encodedString()
    record.payload = String(decoding: text, as: UTF8.self)
    record.variables =
      variables.map { JSONMember(key: $0.key, value: $0.value) }.object.encodedString()
    record.pushType = self[.pushType]
    record.topic = self[.topic] ?? app
    record.channel = channel
    record.expiration = self[.expiration].flatMap { Int64($0) }
  }
}

// Pushes to channels.
extension Message {
  /// The channel ID; nil for devices.
  package var channel: String? { target == .device ? nil : self[.channelID] ?? "" }

  /// The bundle ID of the channel's app; nil for devices.
  package var app: String? { Draft(target: target).app?.value }

  /// The path of its requests; for devices, the token follows.
  package var path: String { Draft(target: target).path }

  /// The header that identifies each push.
  package var idHeader: HeaderName { target.idHeader }
}

extension DraftTarget {
  /// The header that identifies each push.
  var idHeader: HeaderName { self == .device ? .id : .requestID }
}

extension RunRecord {
  /// The kind of target of its pushes.
  var target: DraftTarget {
    channel == nil ? .device : .channel(app: topic.map { DraftField(Draft.appField, $0) })
  }
}

extension RequestFacts.Service {
  /// The service of an environment, regardless of the port.
  package init(_ environment: PushEnvironment) { self.init(host: environment.address?.host) }

  /// The service that owns a host, for pushes or channel management.
  package init(host: String?) {
    let known: [(PushEnvironment, Self)] = [(.production, .production), (.sandbox, .sandbox)]
    let found = known.first { environment, _ in
      [environment.address?.host, environment.managementAddress?.host].contains(host)
    }
    self = found?.1 ?? .other
  }
}
