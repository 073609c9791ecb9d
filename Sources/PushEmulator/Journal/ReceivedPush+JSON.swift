internal import APNS
public import JSONText

extension ReceivedPush {
  /// Writes the push as one JSON object, for the journal and the inbox.
  public func write(to json: inout JSONWriter) {
    JournalEntry.fields.write(JournalEntry(self), to: &json)
  }
}

/// A line of the journal: a request with what several of its fields need and is costly to make.
package struct JournalEntry: JSONDescribed {
  let push: ReceivedPush
  let draft: Draft
  /// The draft with the payload as the emulator has read it.
  private var read: Draft
  let explanation: (cause: String, fix: String)?

  init(_ push: ReceivedPush) {
    (self.push, draft, explanation) = (push, push.request.draft, push.explanation)
    read = draft
    if let (payload, _) = draft.payload?.withLastValues { read.payload = payload }
  }

  /// The request as the rules judge it; nil where HTTP/2 refused it.
  private var judged: ReceivedRequest? { push.isRefusedByHTTP2 ? nil : push.request }

  /// The draft of a push. A request to manage channels is none: no rules apply to it, and no
  /// device shows it.
  private var pushed: Draft? { judged.flatMap { $0.kind == .channel ? nil : read } }

  package static let fields: [OutputField<Self>] = [
    .always("id", \.push.id, "Its number among all requests, from 1."),
    .always(
      "time", { ISO8601.text(milliseconds: Int64($0.push.time * 1000)) },
      "When it arrived, in UTC, by the system's clock."),
    .always("connection", \.push.connection, "The connection's number, from 1."),
    .always("stream", \.push.stream, "The HTTP/2 stream."),
    .sometimes("method", \.push.request.method, "The method."),
    .sometimes("path", \.push.path, "The path."),
    .always("request", \.push.request.kind, "What it is about."),
    .always("token", \.push.token, "The device token as it was in the path."),
    .always("channel", \.push.channel, "The channel that it names or created."),
    .sometimes("bundleID", \.push.request.bundleID, "The app whose channels it is about."),
    .always("apnsID", \.push.apnsID, "The apns-id of the answer."),
    .always("requestID", \.push.requestID, "The apns-request-id of the answer, if about channels."),
    .always(
      "headers", { JSON(.object($0.push.request.headers)) },
      "Every apns- header, an array if it is repeated; what authorization says without its token.",
      .map(.either([.text, .array(.text)]))),
    .sometimes("payload", \.read.payload?.json, "The payload, if it is JSON."),
    .sometimes("payloadText", \.read.payload?.otherText, "The payload, if it is other text."),
    .sometimes("payloadHex", \.read.payload?.hexadecimal, "The payload, if it is no text."),
    .always("payloadSize", \.push.request.bodyCount, "The bytes of the payload."),
    .sometimes("certificate", \.push.certificate, "The common name of the client's certificate."),
    .always("status", \.push.status, "The HTTP status."),
    .always("reason", \.push.reason?.rawValue, "The reason."),
    .sometimes("timestamp", \.push.timestamp, "The timestamp of a 410, in milliseconds."),
    .sometimes("uniqueID", \.push.uniqueID, "The apns-unique-id of the answer."),
    .always("processed", \.push.processed, "Whether the push counts as delivered."),
    .sometimes(
      "refusedBy", { $0.push.isRefusedByHTTP2 ? "HTTP/2" : nil }, "What refused it, if not APNs.",
      .word(["HTTP/2"])),
    .sometimes("note", \.push.note, "Further information, for people."),
    .sometimes("cause", { $0.explanation?.cause }, "Why it was refused."),
    .sometimes("fix", { $0.explanation?.fix }, "What to do about the refusal."),
    .sometimes("pushType", \.pushed?.typeText, "The push type, as judged."),
    .sometimes(
      "topic", { $0.judged == nil ? nil : $0.draft.topic },
      "The topic, of the header or the certificate."),
    .sometimes("environment", \.judged?.environment, "What it stands for."),
    .sometimes(
      "findings",
      { $0.pushed == nil ? nil : $0.push.findings(in: $0.draft).map(FoundProblem.init) },
      "What the rules say to it."),
    .sometimes(
      "card",
      { entry in
        entry.pushed.map { ShownCard(card: PushCard($0), isProcessed: entry.push.processed) }
      }, "What a device would show."),
  ]
}

extension RequestKind: JSONWord {}
extension EmulatorEnvironment: JSONWord {}

/// A broken rule in the journal.
private struct FoundProblem: JSONDescribed {
  let problem: Problem

  static let fields: [OutputField<Self>] = [
    .always("severity", \.problem.severity, "How bad it is."),
    .always("rule", \.problem.rule, "The broken rule."),
    .always("path", \.problem.place.description, "The header or part concerned."),
    .always("message", \.problem.message, "What is wrong."),
    .always("fix", \.problem.fix, "What to do."),
  ]
}

/// A card in the journal.
private struct ShownCard: JSONDescribed {
  let card: PushCard
  let isProcessed: Bool

  static let fields: [OutputField<Self>] = [
    .always("kind", \.card.kind, "What it becomes."),
    .always(
      "shown", { $0.isProcessed && $0.card.kind.isVisible }, "Whether there is something to see."),
    .sometimes("app", \.card.app, "The bundle ID of the app, from the topic or the path."),
    .sometimes("title", \.card.alert?.title, "The title."),
    .sometimes("subtitle", \.card.alert?.subtitle, "The subtitle."),
    .sometimes("body", \.card.alert?.body, "The text."),
    .sometimes("sound", \.card.soundName, "The sound's file, or default."),
    .sometimes("threadID", \.card.threadID, "What it is grouped with."),
    .sometimes("collapseID", \.card.collapseID, "What it replaces an earlier one by."),
    .sometimes("category", \.card.category, "The category."),
    .sometimes("interruptionLevel", \.card.interruptionLevel, "The interruption level."),
    .sometimes("event", \.card.event, "The event of a Live Activity."),
    .sometimes("why", \.card.why, "What else there is to know, or why nothing is shown."),
    .sometimes("badge", \.card.badge, "The badge."),
    .sometimes("state", \.card.state, "The state of a Live Activity."),
    .sometimes("staleDate", \.card.staleDate, "When a Live Activity is out of date."),
  ]
}

extension ReceivedRequest {
  /// The headers. A JSON member cannot be repeated, so a repeated header becomes an array.
  fileprivate var headers: JSONObject {
    let start = authorization.map { [JSONMember(key: "authorization", value: $0.text.jsonValue)] }
    let fields = fields
    let names = fields.indices.filter { index in
      !fields[..<index].contains { $0.name == fields[index].name }
    }.map { fields[$0].name }
    return JSONObject(
      (start ?? [])
        + names.map { name in
          let values = fields.filter { $0.name == name }.map(\.value)
          return JSONMember(
            key: name, value: values.count == 1 ? values[0].jsonValue : values.jsonValue)
        })
  }
}

extension DraftPayload {
  /// The text, where it is not JSON.
  fileprivate var otherText: String? {
    json == nil ? String(validating: bytes, as: UTF8.self) : nil
  }

  /// The digits of what is no text.
  fileprivate var hexadecimal: String? {
    if json != nil || otherText != nil { return nil }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
