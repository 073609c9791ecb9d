internal import APNS
internal import History
package import JSONText
internal import PushModel
package import Reporting
internal import Runs

/// A push of the history with its request and answer, explained: 'history show APNS-ID'.
struct StoredPushReport {
  let push: PushEntry
  let stored: StoredRun
  let request: StoredRequest
  let showsToken: Bool
  /// Results other than the authoritative one.
  var others: [OtherResult] = []

  var report: Report {
    let (exchanged, repeated) = (Self.exchanged, Self.repeated)
    let skipped: [Report.Part] =
      push.wasNeverSent ? [.json("skippedFor", .texts(request.skipped))] : []
    return Report(
      parts: DescribedPush(entry: push).parts + [exchanged].parts(of: self) + skipped
        + [repeated].parts(of: self) + head + exchange)
  }

  fileprivate static let exchanged = OutputField<Self>.always(
    "request",
    { report in
      report.push.wasNeverSent
        ? nil
        : ToldRequest(
          url: report.stored.url(of: report.push), fields: report.request.fields,
          body: report.request.body)
    }, "The request; null if there was none.")

  fileprivate static let repeated = OutputField<Self>.sometimes(
    "otherResults",
    { report in
      report.others.isEmpty
        ? nil : report.others.map { ToldResult(result: $0, run: report.stored.entry) }
    }, "Its results that do not count: it was sent twice.")

  private var head: [Report.Part] {
    let attempts = push.attempts == 1 || push.wasNeverSent ? nil : push.attempts
    return [
      .text("outcome", "\(push.outcome.words, push.outcome.tone)"),
      .text("run", "\(push.run), push \(push.sequence)"),
      .text("recipient", "\(push.channel.map { "channel \($0)" } ?? "\(push.list):\(push.line)")"),
      .text("at", moment(push.at)),
      .text("latency", push.latency.map { StyledText($0) }),
      .text("attempts", attempts.map { "\($0)" }),
      .text(
        "sent twice?",
        push.wasResentInDoubt ? "\("an earlier attempt may have arrived", .doubtful)" : nil),
    ] + others.map { .text("sent twice", StyledText($0.words, .doubtful)) }
  }

  /// The request and answer, or the reason there was none.
  private var exchange: [Report.Part] {
    guard push.wasNeverSent else {
      let pair: [Report.Part] = [
        .section("Request", [.lines(requestLines)]), .section("Answer", [.lines(answerLines)]),
      ]
      let rest = [explanation, console].filter { !$0.isEmpty }
      return pair + rest.map { Report.Part.lines([""] + $0) }
    }
    let why = ["none: the push was skipped before sending"] + request.skipped
    return [.section("Request", [.lines(why.map { StyledText($0) })])]
  }

  private var requestLines: [StyledText] {
    let authorization: StyledText =
      stored.usesCertificate ? "(client certificate)" : "authorization: bearer (not kept)"
    let url = stored.url(of: push, showsToken: showsToken)
    let start = [StyledText("POST \(url) HTTP/2"), authorization]
    return start + request.fields.map { StyledText("\($0.name): \($0.value)") } + [""] + body
  }

  private var body: [StyledText] {
    switch request.body {
    case .payload(let payload): return payload.printedJSON
    case .lost(let failure, let template):
      return [
        "This is the template; its row cannot be read again. \(failure.sentence)",
        "'send --keep-payloads' keeps the payload of each push.", "",
      ] + template.printedJSON
    }
  }

  private var answerLines: [StyledText] {
    guard let response = push.response else { return ["none"] }
    var lines: [StyledText] = [
      "HTTP/2 \(response.status)", "\(stored.idHeader): \(push.apnsID)",
    ]
    if let id = response.uniqueID { lines.append("apns-unique-id: \(id)") }
    return lines + (response.reason == nil ? [] : ["", StyledText(response.body)])
  }

  private var explanation: [StyledText] {
    guard let response = push.response, !response.isAccepted else { return [] }
    if let reason = response.reason, reason.info != nil {
      return reason.advice(stored.facts(of: push))
    }
    return response.status.info.map { ["\($0.meaning)"] } ?? []
  }

  /// Only Apple's sandbox returns IDs that its console can find; the emulator's are its own.
  private var console: [StyledText] {
    guard stored.entry.record.environment == PushEnvironment.sandbox.name,
      let id = push.response?.uniqueID
    else { return [] }
    return [
      "Apple's Push Notifications Console, icloud.developer.apple.com, finds it in the app's",
      "Delivery Logs by its apns-unique-id: \(id)",
    ]
  }
}

/// The request of a push in JSON.
private struct ToldRequest: JSONDescribed {
  let url: String
  let fields: [(name: String, value: String)]
  let body: StoredRequest.Body

  static let fields: [OutputField<Self>] = [
    .always("method", { _ in "POST" }, "The HTTP method.", .word(["POST"])),
    .always("url", \.url, "The URL, with the whole device token."),
    .always(
      "headers", { JSON.headers($0.fields) }, "The header fields, without the provider token.",
      .map(.text)),
    .sometimes("payload", \.payload, "The payload as it was sent."),
    .sometimes("template", \.template, "The template, if the row cannot be read again."),
  ]

  private var payload: JSON? { if case .payload(let bytes) = body { .payload(bytes) } else { nil } }

  private var template: JSON? {
    if case .lost(_, let bytes) = body { .payload(bytes) } else { nil }
  }
}

extension Outputs {
  /// A push with its request: `history show APNS-ID`.
  package static let shownPush =
    push + [StoredPushReport.exchanged, StoredPushReport.repeated].keys()
}
