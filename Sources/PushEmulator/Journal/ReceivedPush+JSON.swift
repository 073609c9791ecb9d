internal import APNS
public import JSONText

extension ReceivedPush {
  /// Writes the push as one JSON object, for the journal and the inbox.
  public func write(to json: inout JSONWriter) {
    JournalEntry.fields.write(JournalEntry(push: self, draft: request.draft), to: &json)
  }
}

/// A line of the journal: a request with its draft, which is costly to make.
package struct JournalEntry: JSONDescribed {
  let push: ReceivedPush
  let draft: Draft

  /// The request as the rules judge it; nil where HTTP/2 refused it.
  private var judged: ReceivedRequest? { push.isRefusedByHTTP2 ? nil : push.request }

  /// The draft of a push. A request to manage channels is none: no rules apply to it, and no
  /// device shows it.
  private var pushed: Draft? { judged.flatMap { $0.kind == .channel ? nil : draft } }

  package static let fields: [JSONField<Self>] = arrival + payload + answer + judgement

  private static let arrival: [JSONField<Self>] = [
    .always("id", "Its number among all requests, from 1.") { $0.push.id },
    .always("time", "When it arrived, in UTC, by the system's clock.") {
      ISO8601.text(milliseconds: Int64($0.push.time * 1000))
    },
    .always("connection", "The connection's number, from 1.") { $0.push.connection },
    .always("stream", "The HTTP/2 stream.") { $0.push.stream },
    .sometimes("method", "The method.") { $0.push.request.method },
    .sometimes("path", "The path.") { $0.push.path },
    .always("request", "What it is about.") { $0.push.request.kind },
    .always("token", "The device token as it was in the path.") { $0.push.token },
    .always("channel", "The channel that it names or created.") { $0.push.channel },
    .sometimes("bundleID", "The app whose channels it is about.") { $0.push.request.bundleID },
    .always("apnsID", "The apns-id of the answer.") { $0.push.apnsID },
    .always("requestID", "The apns-request-id of the answer, if about channels.") {
      $0.push.requestID
    },
    .always(
      "headers",
      "Every apns- header, an array if it is repeated; what authorization says without its token.",
      .map(.either([.text, .array(.text)]))
    ) { JSON(.object($0.push.request.headers)) },
  ]

  private static let payload: [JSONField<Self>] = [
    .sometimes("payload", "The payload, if it is JSON.") { $0.draft.payload?.json },
    .sometimes("payloadText", "The payload, if it is other text.") { $0.draft.payload?.otherText },
    .sometimes("payloadHex", "The payload, if it is no text.") { $0.draft.payload?.hexadecimal },
    .always("payloadSize", "The bytes of the payload.") { $0.push.request.bodyCount },
    .sometimes("certificate", "The common name of the client's certificate.") {
      $0.push.certificate
    },
  ]

  private static let answer: [JSONField<Self>] = [
    .always("status", "The HTTP status.") { $0.push.status },
    .always("reason", "The reason.") { $0.push.reason?.rawValue },
    .sometimes("timestamp", "The timestamp of a 410, in milliseconds.") { $0.push.timestamp },
    .sometimes("uniqueID", "The apns-unique-id of the answer.") { $0.push.uniqueID },
    .always("processed", "Whether the push counts as delivered.") { $0.push.processed },
    .sometimes("refusedBy", "What refused it, if not APNs.", .word(["HTTP/2"])) {
      $0.push.isRefusedByHTTP2 ? "HTTP/2" : nil
    },
    .sometimes("note", "Further information, for people.") { $0.push.note },
    .sometimes("cause", "Why it was refused.") { $0.push.explanation?.cause },
    .sometimes("fix", "What to do about the refusal.") { $0.push.explanation?.fix },
  ]

  private static let judgement: [JSONField<Self>] = [
    .sometimes("pushType", "The push type, as judged.") { $0.pushed?.typeText },
    .sometimes("topic", "The topic, of the header or the certificate.") {
      $0.judged == nil ? nil : $0.draft.topic
    },
    .sometimes("environment", "What it stands for.") { $0.judged?.environment },
    .sometimes("findings", "What the rules say to it.") { entry in
      entry.pushed.map { entry.push.findings(in: $0).map(Finding.init) }
    },
    .sometimes("card", "What a device would show.") { entry in
      entry.pushed.map { ShownCard(card: PushCard($0), isProcessed: entry.push.processed) }
    },
  ]
}

extension RequestKind: JSONWord {}
extension EmulatorEnvironment: JSONWord {}

/// A broken rule in the journal.
private struct Finding: JSONDescribed {
  let problem: Problem

  static let fields: [JSONField<Self>] = [
    .always("severity", "How bad it is.") { $0.problem.severity },
    .always("rule", "The broken rule.") { $0.problem.rule },
    .always("path", "The header or part concerned.") { $0.problem.place.description },
    .always("message", "What is wrong.") { $0.problem.message },
    .always("fix", "What to do.") { $0.problem.fix },
  ]
}

/// A card in the journal.
private struct ShownCard: JSONDescribed {
  let card: PushCard
  let isProcessed: Bool

  static let fields: [JSONField<Self>] = [
    .always("kind", "What it becomes.") { $0.card.kind },
    .always("shown", "Whether there is something to see.") {
      $0.isProcessed && $0.card.kind.isVisible
    },
    .sometimes("app", "The bundle ID of the app, from the topic or the path.") { $0.card.app },
    .sometimes("title", "The title.") { $0.card.alert?.title },
    .sometimes("subtitle", "The subtitle.") { $0.card.alert?.subtitle },
    .sometimes("body", "The text.") { $0.card.alert?.body },
    .sometimes("sound", "The sound's file, or default.") { $0.card.soundName },
    .sometimes("threadID", "What it is grouped with.") { $0.card.threadID },
    .sometimes("collapseID", "What it replaces an earlier one by.") { $0.card.collapseID },
    .sometimes("category", "The category.") { $0.card.category },
    .sometimes("interruptionLevel", "The interruption level.") { $0.card.interruptionLevel },
    .sometimes("event", "The event of a Live Activity.") { $0.card.event },
    .sometimes("why", "What else there is to know, or why nothing is shown.") { $0.card.why },
    .sometimes("badge", "The badge.") { $0.card.badge },
    .sometimes("state", "The state of a Live Activity.") { $0.card.state },
    .sometimes("staleDate", "When a Live Activity is out of date.") { $0.card.staleDate },
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
