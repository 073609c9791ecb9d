public import APNS
internal import HTTP2
public import JSONText
internal import PushModel

/// A notification whose payload is filled in for each recipient.
///
/// In the texts of the payload, `{{name}}` stands for the recipient's variable of that name;
/// `{{name|number}}` makes a number of it, and `{{name|default('text')}}` has a value for recipients
/// without one. Each payload is checked against the rules before it is sent. A recipient whose
/// payload breaks one is skipped, with the problem as the ``SendResult/obstacle`` of its result.
public struct PushTemplate: Sendable {
  let message: PushMessage
  let renderer: TemplateRenderer
  let pushType: PushType
  private let draft: Draft

  /// The names of the variables that each recipient must have.
  public var neededVariables: [String] { renderer.neededNames }

  /// Creates a template for an app's devices, and checks all that does not depend on recipients.
  ///
  /// - Parameters:
  ///   - content: the push type and the payload, with placeholders.
  ///   - bundleID: the app's bundle ID; the topic is made from it and the push type.
  ///   - priority: nil for the push type's default.
  ///   - expiration: nil to let APNs decide on storing.
  ///   - collapseID: replaces an earlier notification with the same ID on the device.
  /// - Throws: ``BrokenRules``: each problem with its fix.
  public init(
    _ content: PushContent, bundleID: String, priority: Priority? = nil,
    expiration: Expiration? = nil, collapseID: String? = nil
  ) throws(BrokenRules) {
    pushType = content.pushType
    draft = Draft(content, bundleID, priority, expiration, collapseID)
    let context = RuleContext(now: RunClock.system.epochSeconds)
    guard let template = Template(draft, in: context) else {
      throw BrokenRules([.noPlaceholder])
    }
    let problems = template.problems
    if problems.contains(where: { $0.severity == .error }) { throw BrokenRules(problems) }
    renderer = try template.renderer()
    message = PushMessage(
      fields: try draft.fieldsForced(in: context), path: draft.path, payload: nil,
      expiresAt: expiration?.end)
  }

  /// Returns the notification for one recipient.
  ///
  /// - Parameter variables: the values of placeholders, by name.
  /// - Throws: ``BrokenRules``, for a missing variable too.
  public func notification(
    _ variables: [String: JSON] = [:]
  ) throws(BrokenRules) -> PushNotification {
    var (renderer, payload, values) = (renderer, [UInt8](), TemplateValues())
    try renderer.render(variables, into: &payload, &values)
    var draft = draft
    draft.payload = DraftPayload(reading: payload)
    return try PushNotification(checking: draft)
  }
}

extension Problem {
  fileprivate static let noPlaceholder = Problem(
    .error, rule: "placeholder", at: .payload(PayloadPath()),
    message: "The payload has no placeholder.", fix: "Make a PushNotification of it.")
}

extension TemplateRenderer {
  /// Appends the payload for a recipient.
  ///
  /// - Throws: ``BrokenRules``; nothing is appended.
  mutating func render(
    _ variables: [String: JSON], into payload: inout [UInt8], _ values: inout TemplateValues
  ) throws(BrokenRules) {
    values.removeAll()
    for name in names {
      let value = variables[name]
      let kind: TemplateValues.Kind = value == nil ? .missing : value?.string == nil ? .json : .text
      let bytes = value.map { $0.string.map { Array($0.utf8) } ?? $0.encoded(.wire) } ?? []
      bytes.withUnsafeBufferPointer { values.append(kind, $0) }
    }
    try render(values, into: &payload)
  }
}
