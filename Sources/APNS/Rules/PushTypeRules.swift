import JSONText
import PlainText

extension RuleTable {
  /// The rules about the push type, by itself and for the credentials.
  static let pushTypeRules: [Rule] = [
    Rule(
      "push-type-missing", .error, about: .header(.pushType), on: .device,
      summary: "A notification has a push type.",
      fix: "Specify the push type: \(alternatives(PushType.table.map(\.type.rawValue)))."
    ) { draft, _ in
      let isMissing = draft[.pushType]?.value.isEmpty ?? true
      // It may be possible to infer it once the payload is readable.
      let isUntold = draft.payload.map { $0.json?.object == nil } ?? false
      let fix = isMissing ? MistakenPayload.fix(for: draft.payload) : nil
      return isMissing && !isUntold
        ? [Finding(missing: .pushType, "The push type is missing.", fix: fix)] : []
    },
    Rule(
      "push-type-unknown", .error, about: .header(.pushType), on: .device,
      summary: "The push type is one that APNs defines.",
      fix: "Use one of \(alternatives(PushType.table.map(\.type.rawValue))).",
      reason: .invalidPushType
    ) { draft, _ in
      unknownType(of: draft).map {
        [Finding($0, "Unknown push type \(quoted($0.value)).", fix: suggestion(for: $0.value))]
      } ?? []
    },
    Rule(
      "authentication-for-type", .error, about: .header(.pushType), on: .device,
      summary: "The push type can be sent with the credentials in use.",
      fix: "Use the other kind of credentials.", reason: .topicDisallowed
    ) { draft, context in
      guard let info = draft.pushTypeInfo, let field = draft[.pushType],
        let authentication = context.authentication, !info.authentication.contains(authentication)
      else { return [] }
      return [Finding(field, "\(info.type) cannot be sent with \(name(authentication)).")]
    },
  ]

  private static func unknownType(of draft: ExaminedDraft) -> DraftField? {
    guard let field = draft[.pushType], !field.value.isEmpty, draft.pushTypeInfo == nil else {
      return nil
    }
    return field
  }

  private static func suggestion(for text: String) -> String? {
    let text = text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    let near = Suggestion.near(text, among: PushType.table.map(\.type.rawValue)).first
    return near.map { "Did you mean \($0)?" }
  }

  private static func name(_ authentication: Authentication) -> String {
    switch authentication {
    case .token: "a provider token"
    case .certificate: "a client certificate"
    }
  }
}
