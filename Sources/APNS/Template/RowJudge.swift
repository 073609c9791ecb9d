import JSONText

/// Checks rendered payloads against all rules.
struct RowJudge: Sendable {
  /// The draft as written, with its placeholders.
  let draft: Draft
  /// The context for the rules.
  let context: RuleContext
  /// The maximum payload size in bytes.
  let payloadLimit: Int

  init(_ draft: Draft, _ context: RuleContext) {
    self.draft = draft
    self.context = context
    payloadLimit = RuleTable.payloadLimit(of: draft.pushTypeInfo, draft.target, context)
  }

  /// Returns the draft with a rendered payload.
  ///
  /// - Parameters:
  ///   - payload: the payload.
  ///   - counted: the bytes whose length the rules check; nil for the payload's own.
  func filled(_ payload: some Collection<UInt8>, counting counted: [UInt8]? = nil) -> Draft {
    var filled = draft
    let bytes = Array(payload)
    if let json = try? JSONReader().read(bytes) {
      let placed = draft.payload?.json.map(json.placed) ?? json
      filled.payload = DraftPayload(placed, bytes: counted ?? bytes, file: draft.payload?.file)
    } else {
      filled.payload = DraftPayload(reading: bytes, file: draft.payload?.file)
    }
    return filled
  }

  /// All problems of a rendered payload, with positions in the template's text.
  func problems(of payload: some Collection<UInt8>, counting counted: [UInt8]? = nil) -> [Problem] {
    RuleTable.problems(in: filled(payload, counting: counted), context)
  }
}

extension JSON {
  /// This value with the positions of the template it was rendered from. Anything filled in has its
  /// placeholder's position.
  fileprivate func placed(as template: JSON) -> JSON {
    switch (content, template.content) {
    case (.object(let object), .object(let other)):
      let members = zip(object.members, other.members).map { member, other in
        JSONMember(
          key: member.key, at: other.keyPosition, value: member.value.placed(as: other.value))
      }
      return JSON(.object(JSONObject(distinct: members)), at: template.position)
    case (.array(let elements), .array(let others)):
      let placed = zip(elements, others).map { $0.placed(as: $1) }
      return JSON(.array(placed), at: template.position)
    default: return placed(at: template.position)
    }
  }

  private func placed(at position: JSONPosition?) -> JSON {
    switch content {
    case .object(let object):
      let members = object.members.map {
        JSONMember(key: $0.key, at: position, value: $0.value.placed(at: position))
      }
      return JSON(.object(JSONObject(distinct: members)), at: position)
    case .array(let elements):
      return JSON(.array(elements.map { $0.placed(at: position) }), at: position)
    default: return JSON(content, at: position)
    }
  }
}
