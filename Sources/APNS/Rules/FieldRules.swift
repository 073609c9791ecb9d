extension RuleTable {
  /// The rules about `apns-id`, expiration, priority and collapse ID, alone and for the push type.
  static let fieldRules: [Rule] = [
    Rule(
      "apns-id-form", .error, about: .header(.id),
      summary: "The ID of a push (apns-id, or apns-request-id for a channel) is a UUID.",
      fix: "Omit it, or use a UUID such as 123e4567-e89b-42d3-a456-426614174000.",
      reason: .badMessageID
    ) { draft, _ in
      let names: [HeaderName] = draft.target == .device ? [.id] : [.id, .requestID]
      return names.compactMap { draft[$0] }.filter { APNSID($0.value) == nil }.map {
        let fix = APNSID(undashed: $0.value).map { "Use \($0), in the usual form." }
        return Finding($0, "\(quoted($0.value)) is not a UUID.", fix: fix)
      }
    },
    Rule(
      "expiration-form", .error, about: .header(.expiration),
      summary: "The expiration is 0 or a date.",
      fix: "Use 0, seconds since 1970, 2026-11-21T10:00:00Z, 2026-11-21, or a duration such as 1h.",
      reason: .badExpirationDate
    ) { draft, _ in
      draft[.expiration].flatMap { field in
        (try? Expiration(wire: field.value)) == nil ? [malformedExpiration(field)] : nil
      } ?? []
    },
    Rule(
      "expiration-past", .warning, about: .header(.expiration),
      summary: "The expiration is in the future.",
      fix: "Use a later date, or 0 for one attempt without storing."
    ) { draft, context in
      expiration(of: draft).flatMap { field, expiration in
        1..<max(1, context.now) ~= expiration.seconds ? [pastExpiration(field, expiration)] : []
      } ?? []
    },
    Rule(
      "expiration-milliseconds", .warning, about: .header(.expiration),
      summary: "The expiration is in seconds.",
      fix: "Divide it by 1000."
    ) { draft, context in
      expiration(of: draft).flatMap { field, expiration in
        isMilliseconds(expiration, context)
          ? [Finding(field, "The expiration looks like milliseconds.")] : []
      } ?? []
    },
    Rule(
      "expiration-far", .warning, about: .header(.expiration),
      summary: """
        The expiration is at most 30 days ahead, for a channel 8 hours; APNs stores no push longer.
        """,
      fix: "Use an earlier date."
    ) { draft, context in
      expiration(of: draft).flatMap { field, expiration in
        let lead = expiration.seconds - context.now
        let longest: Int64 = draft.target == .device ? 30 * 86_400 : 8 * 3600
        if lead <= longest || isMilliseconds(expiration, context) { return [] }
        let (span, limit) = (TimeSpan.text(seconds: lead), TimeSpan.text(seconds: longest))
        return [
          Finding(field, "The expiration is \(span) ahead; APNs stores it for \(limit) at most.")
        ]
      } ?? []
    },
    Rule(
      "expiration-waits", .warning, about: .header(.expiration), on: .device,
      summary: "A push that must not arrive late (\(urgentTypes)) is not stored.",
      fix: "Use 0, so that APNs tries once.", source: Source.callKit
    ) { draft, context in
      expiration(of: draft).flatMap { field, expiration in
        let lead = expiration.seconds - context.now
        guard let info = draft.pushTypeInfo, draft.isUrgent, 31...30 * 86_400 ~= lead else {
          return nil
        }
        let span = TimeSpan.text(seconds: lead)
        return [Finding(field, "A push of type \(info.type) can arrive \(span) late.")]
      } ?? []
    },
    Rule(
      "priority-form", .error, about: .header(.priority),
      summary: "The priority is \(Priority.choices).",
      fix: "Use \(Priority.choices).", reason: .badPriority
    ) { draft, _ in
      draft[.priority].flatMap { field in
        Priority(field.value) == nil
          ? [Finding(field, "\(quoted(field.value)) is not a priority.")] : nil
      } ?? []
    },
    Rule(
      "priority-missing", .warning, about: .header(.priority), on: .device,
      summary: "A received push states its priority where \(Priority.immediate) would be wrong.",
      fix: "Send the priority that Apple names for the push type.", source: Source.background
    ) { draft, context in
      guard context.isReceived, draft[.priority] == nil, let info = draft.pushTypeInfo,
        !info.priorities.contains(.immediate)
      else { return [] }
      return [
        Finding(
          missing: .priority,
          "Without apns-priority, APNs takes \(Priority.immediate), which is wrong for \(info.type).",
          fix: "Send \(info.defaultPriority).")
      ]
    },
    Rule(
      "priority-for-type", .error, about: .header(.priority), on: .device,
      summary: "The push type allows the priority.",
      fix: "Omit the priority, or use one that the push type allows.",
      source: Source.background, reason: .badPriority
    ) { draft, _ in
      priority(of: draft) { !$0.priorities.contains($1) && !$0.doubtfulPriorities.contains($1) }
    },
    Rule(
      "priority-doubtful", .warning, about: .header(.priority), on: .device,
      summary: "Apple documents the priority for the push type.",
      fix: "Omit the priority, or use one that Apple documents."
    ) { draft, _ in
      priority(of: draft) { $0.doubtfulPriorities.contains($1) }
    },
    Rule(
      "priority-waits", .warning, about: .header(.priority), on: .device,
      summary:
        "A push that must not arrive late (\(urgentTypes)) has priority \(Priority.immediate).",
      fix: "Use \(Priority.immediate), or omit the priority.", source: Source.callKit
    ) { draft, _ in
      guard let info = draft.pushTypeInfo, draft.isUrgent, let field = draft[.priority],
        let priority = Priority(field.value), priority != .immediate
      else { return [] }
      return [
        Finding(field, "At priority \(priority), a push of type \(info.type) can arrive late.")
      ]
    },
    Rule(
      "priority-service-update", .warning, about: .header(.priority), on: .device,
      summary: "A Push to Talk service update has a priority below \(Priority.immediate).",
      fix: "Use \(Priority.powerAware), or omit the priority.", source: Source.pushToTalk
    ) { draft, _ in
      guard let info = draft.pushTypeInfo, info.isServiceUpdate(draft.payload?.json),
        let field = draft[.priority], Priority(field.value) == .immediate
      else { return [] }
      return [Finding(field, "Service updates have a budget of six an hour at priority 10.")]
    },
    Rule(
      "collapse-id-form", .error, about: .header(.collapseID),
      summary: "A collapse ID is 1 to \(CollapseID.maximumBytes) bytes long.",
      fix: "Shorten it; non-ASCII characters take two or more bytes.", reason: .badCollapseID
    ) { draft, _ in
      draft[.collapseID].flatMap(malformedCollapseID).map { [$0] } ?? []
    },
  ]

  private static let urgentTypes = alternatives(
    PushType.table.filter(\.isUrgent).map(\.type.rawValue))

  private static func expiration(of draft: ExaminedDraft) -> (DraftField, Expiration)? {
    guard let field = draft[.expiration], let expiration = try? Expiration(wire: field.value)
    else { return nil }
    return (field, expiration)
  }

  private static func malformedExpiration(_ field: DraftField) -> Finding {
    let cause = ISO8601.fault(in: field.value).map { ": \($0.clause)" } ?? ""
    return Finding(field, "\(quoted(field.value)) is not an expiration\(cause).")
  }

  // Nobody means a date before 2001: such a number was meant as a length of time.
  private static func pastExpiration(_ field: DraftField, _ expiration: Expiration) -> Finding {
    let date = ISO8601.text(seconds: expiration.seconds)
    if expiration.seconds >= 1_000_000_000 {
      return Finding(field, "The expiration, \(date), has passed; APNs tries at most once.")
    }
    let (length, words) = (
      TimeSpan.written(seconds: expiration.seconds), TimeSpan.text(seconds: expiration.seconds)
    )
    return Finding(
      field, "The expiration is \(date.prefix(10)), which has passed; APNs tries at most once.",
      fix: "For \(words) from now write \(length).")
  }

  private static func isMilliseconds(_ expiration: Expiration, _ context: RuleContext) -> Bool {
    expiration.seconds / 100 > max(context.now, 1)
  }

  private static func priority(
    of draft: ExaminedDraft, isWrong: (PushTypeInfo, Priority) -> Bool
  ) -> [Finding] {
    guard let field = draft[.priority], let priority = Priority(field.value),
      let info = draft.pushTypeInfo, isWrong(info, priority)
    else { return [] }
    let named = alternatives(info.priorities.map(\.description))
    return [Finding(field, "The priority of \(info.type) is \(named), not \(priority).")]
  }

  // Characters that no header can contain have their own rule.
  private static func malformedCollapseID(_ field: DraftField) -> Finding? {
    do throws(CollapseIDError) {
      _ = try CollapseID(field.value)
      return nil
    } catch {
      return switch error {
      case .empty: Finding(field, "The collapse ID is empty.", fix: "Omit it.")
      case .tooLong(let count): Finding(field, "The collapse ID is \(count) bytes long.")
      case .controlCharacter, .surroundingSpace: nil
      }
    }
  }
}
