internal import APNS
internal import History
internal import PlainText

/// A push of the history as a person reads it: its request, its answer, and what that means.
struct StoredPushText {
  let push: PushEntry
  let stored: StoredRun
  let request: StoredRequest
  let showsToken: Bool
  let style: Style

  /// The lines, with a line feed at the end.
  var text: String {
    let blocks = [head] + exchange.filter { !$0.isEmpty }
    return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// The request and its answer, or why there was none.
  private var exchange: [[String]] {
    guard push.wasNeverSent else { return [requestLines, answerLines, explanation, console] }
    let reasons = request.skipped?.lines.map { "  " + $0.printable } ?? []
    return [[style.bold("Request"), "  none: the push was skipped before one was made"] + reasons]
  }

  private var token: String { showsToken ? push.token : shortToken(push.token) }

  private var head: [String] {
    let rows: [(String, String?)] = [
      ("outcome", style.of(push.outcome)(push.outcome.words)),
      ("run", "\(push.run), push \(push.sequence)"),
      ("recipient", "\(push.list.printable):\(push.line)"),
      ("at", ISO8601.text(seconds: push.at / 1000)),
      ("latency", push.latencyMicroseconds.map { milliseconds(Double($0) / 1000) }),
      ("attempts", push.attempts == 1 || push.wasNeverSent ? nil : String(push.attempts)),
      (
        "sent twice?",
        push.wasResentInDoubt ? style.doubtful("an earlier attempt may have arrived") : nil
      ),
    ]
    let shown = rows.compactMap { row in row.1.map { (row.0, $0) } }
    let width = shown.map(\.0.count).max() ?? 0
    return shown.map { $0.0.padding(to: width + 2) + $0.1 }
  }

  private var requestLines: [String] {
    let authorization =
      stored.usesCertificate ? "(client certificate)" : "authorization: bearer (not kept)"
    let lines = [
      "POST \(stored.url(token: token)) HTTP/2", authorization,
    ]
    let fields = request.fields.map { "\($0.name.printable): \($0.value.printable)" }
    return [style.bold("Request")] + (lines + fields).map { "  " + $0 } + [""] + body
  }

  private var body: [String] {
    switch request.body {
    case .payload(let payload): return ["  " + payload.printableJSON]
    case .lost(let failure, let template):
      return [
        "  The template; its row cannot be read again. \(failure.sentence)",
        "  --keep-payloads of 'send' keeps what each row made of it.", "",
        "  " + template.printableJSON,
      ]
    }
  }

  private var answerLines: [String] {
    guard let response = push.response else {
      return [style.bold("Answer"), "  none"]
    }
    let fields: [(String, String?)] = [
      ("apns-id", push.apnsID.description), ("apns-unique-id", response.uniqueID?.printable),
    ]
    let lines = fields.compactMap { field in field.1.map { "\(field.0): \($0)" } }
    let answer = ["HTTP/2 \(response.status)"] + lines + errorBody(response)
    return [style.bold("Answer")] + answer.map { $0.isEmpty ? "" : "  " + $0 }
  }

  private func errorBody(_ response: Response) -> [String] {
    guard let reason = response.reason else { return [] }
    let time = response.timestamp.map { #","timestamp":\#($0)"# } ?? ""
    return ["", #"{"reason":"\#(reason.rawValue.printable)"\#(time)}"#]
  }

  private var explanation: [String] {
    guard let response = push.response, !response.isAccepted else { return [] }
    if let reason = response.reason, reason.info != nil { return reason.advice(style, facts) }
    return response.status.info.map { [$0.meaning] } ?? []
  }

  private var facts: RequestFacts {
    var facts = stored.facts
    facts.tokenDigits = push.token.utf8.count
    return facts
  }

  /// Only the sandbox gives ids that Apple's console knows.
  private var console: [String] {
    guard let id = push.response?.uniqueID else { return [] }
    return [
      "Apple's Push Notifications Console, icloud.developer.apple.com, finds it in the app's",
      "Delivery Logs by its apns-unique-id: \(id.printable)",
    ]
  }
}
