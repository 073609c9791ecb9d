package import APNS
package import History
package import JSONText
package import PushModel
internal import Reporting
package import Settings

/// A run of the history as it was sent: what every push of it had in common.
package struct StoredRun {
  package let entry: RunEntry
  /// What its options were, to be told: who sends with them reads them with their origin. Nil when this
  /// version did not write them.
  package let settings: RunInputs?
  /// The header fields of every push, without `apns-id` and `authorization`, in the order in which
  /// they were sent.
  package let fields: [(name: String, value: String)]

  package init(_ entry: RunEntry) {
    self.entry = entry
    settings = RunInputs(json: entry.record.settings, from: .storedRun)
    let headers = try? JSONReader().read(Array(entry.record.headers.utf8))
    fields =
      headers?.object?.members.compactMap { member in
        member.value.string.map { (member.key, $0) }
      } ?? []
  }

  /// Whether rows of lists filled placeholders of the payload.
  package var isTemplate: Bool { settings?.isTemplate ?? false }

  /// Whether a client certificate was used instead of a provider token.
  package var usesCertificate: Bool { settings?.settings.certificate != nil }

  /// The files that its payloads and columns are read from again: lists, or their copies.
  package func filesRead(in history: any HistoryStore, _ context: Context) -> [String] {
    guard isTemplate || !columns.isEmpty, let settings else { return [] }
    let copies = ListCopies(of: entry, in: history, context)
    return settings.recipients.enumerated().flatMap { index, recipients in
      guard case .list(let list) = recipients else { return [String]() }
      return [list.fingerprint == nil ? copies.recipients(index) : settings.fromHere(list.path)]
    }
  }

  /// The payload that all pushes had, or the template of which each had its own.
  package var payload: [UInt8] { Array(entry.record.payload.utf8) }

  /// Where it was sent, without a slash at the end. The emulator in the process had a port of its own.
  var server: String { entry.record.server ?? "https://127.0.0.1" }

  /// The URL of a push.
  ///
  /// - Parameter showsToken: whether the device token in it is whole.
  package func url(of push: PushEntry, showsToken: Bool = true) -> String {
    server + path(of: push, showsToken: showsToken)
  }

  /// The path of a push.
  package func path(of push: PushEntry, showsToken: Bool = true) -> String {
    Draft(target: entry.record.target).path + (showsToken ? push.token : shortToken(push.token))
  }

  /// The header that identifies each push.
  package var idHeader: HeaderName { entry.record.target.idHeader }

  /// What its requests showed, for the cause of a refusal.
  ///
  /// - Parameter push: one of them; nil for any.
  package func facts(of push: PushEntry? = nil) -> RequestFacts {
    let environment = PushEnvironment.named.first { $0.name == entry.record.environment }
    return RequestFacts(
      service: .init(environment ?? .emulator), isBroadcast: entry.record.channel != nil,
      pushType: entry.record.pushType.flatMap { PushType(rawValue: $0) },
      topic: entry.record.topic, tokenDigits: push?.token.utf8.count ?? 0, providerTokenAge: nil)
  }
}

extension StoredRun {
  /// What its lists still hold that no pass has read; nil when all was read. Nothing is known of it
  /// when a pass read further than the one whose summary there is, because it was killed or goes on.
  package var unread: UnreadRecipients? {
    if entry.last != nil || entry.state == .finished || entry.state == .enqueued { return nil }
    guard entry.recipients.lines == summary?["lines"]?.number?.int,
      let said = summary?["unread"]
    else { return UnreadRecipients() }
    return UnreadRecipients(json: said)
  }
}

extension StoredRun {
  /// The figures of its last pass; nil before it has ended.
  package var summary: JSON? { entry.summary.flatMap { try? JSONReader().read(Array($0.utf8)) } }
}
