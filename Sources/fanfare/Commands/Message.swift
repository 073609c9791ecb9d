internal import APNS
internal import PushCore

/// What is sent to every recipient: headers and payload, checked or forced.
struct Message {
  let fields: [HeaderField]
  let payload: Payload
  let apnsID: APNSID?
  private(set) var warnings: [Problem]

  /// Makes a message of a draft.
  ///
  /// - Throws: `Failure.problems` with everything that is wrong when anything is, or, with force,
  ///   when something is that no force can send.
  ///
  /// - Parameter others: what is wrong with the draft by other rules, which force overrides.
  init(
    _ draft: Draft, in context: RuleContext, beside others: [Problem] = [], force: Bool
  ) throws(Failure) {
    do throws(BrokenRules) {
      self = try force ? Self.forced(draft, in: context) : Self.checked(draft, in: context)
    } catch {
      throw .problems(error.problems + others)
    }
    if !force, !others.isEmpty { throw .problems(warnings + others) }
    warnings += others
  }

  private init(
    fields: [HeaderField], payload: Payload, apnsID: APNSID?, warnings: [Problem]
  ) {
    self.fields = fields
    self.payload = payload
    self.apnsID = apnsID
    self.warnings = warnings
  }

  private static func checked(
    _ draft: Draft, in context: RuleContext
  ) throws(BrokenRules) -> Message {
    let notification = try Notification(draft, in: context)
    return Message(
      fields: notification.fields, payload: notification.payload, apnsID: notification.apnsID,
      warnings: notification.warnings)
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
      fields: fields, payload: payload, apnsID: draft.apnsID.flatMap { APNSID($0) },
      warnings: problems)
  }
}
