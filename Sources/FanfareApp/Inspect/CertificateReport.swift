internal import APNS
internal import Credentials
internal import JSONText
internal import PlainText

/// What one certificate of a file says.
struct CertificateReport {
  let facts: CertificateFacts
  /// Seconds since 1970 UTC.
  let now: Int64

  /// What is wrong with it, whatever is sent where.
  private var problems: [CertificateProblem] {
    facts.problems(now: now, environment: .emulator, topic: nil, pushType: nil)
  }

  /// Why it cannot send pushes; nil when it can.
  var fault: CertificateProblem? { problems.first { $0.severity == .error } }

  var parts: [Report.Part] {
    [
      .fact("common name", "commonName", .text(facts.commonName)),
      .fact("purpose", "purpose", .text(facts.kind?.name), shown: purpose),
      .json("isForPush", .flag(facts.isForPush)), .fact("app", "userID", .text(facts.userID)),
      .fact("team", "organizationalUnit", .text(facts.organizationalUnit)),
      .fact("environments", "environments", .texts(facts.environments.map(\.rawValue).sorted())),
      .text("topics", topics), .list("topics", facts.topics.map(part)),
      .fact("valid", "notBefore", .text(date(facts.notBefore)), shown: validity),
      .json("notAfter", .text(date(facts.notAfter))), .json("daysLeft", .number(daysLeft)),
      .fact("issuer", "issuer", .text(facts.issuer)),
      .fact("serial", "serial", .text(facts.serial)),
      .fact("key", "keyAlgorithm", .text(facts.keyKind)),
      .fact("SHA-256", "sha256", .text(hexadecimal(facts.sha256))),
      .fact("key's SHA-256", "publicKeySHA256", .text(facts.publicKeySHA256.map(hexadecimal))),
      .json("problems", .texts(problems.map(\.sentence))),
    ]
  }

  private var purpose: StyledText {
    if let kind = facts.kind { return StyledText(kind.name) }
    return facts.isForPush ? "push" : "unknown; Apple's push certificates have a different name"
  }

  private var topics: StyledText? {
    if facts.topics.isEmpty { return nil }
    return StyledText(
      facts.topics.map { topic in
        let labels = topic.labels.joined(separator: ", ")
        return topic.topic.text + (labels.isEmpty ? "" : " (\(labels))")
      }.joined(separator: ", "))
  }

  private func part(_ topic: CertificateTopic) -> [Report.Part] {
    [.json("topic", .text(topic.topic.text)), .json("labels", .texts(topic.labels))]
  }

  private func date(_ seconds: Int64) -> String { ISO8601.text(seconds: seconds) }

  /// Whole days until its end, negative after it.
  private var daysLeft: Int64 {
    let left = facts.notAfter - now
    return left >= 0 ? left / 86_400 : -((86_399 - left) / 86_400)
  }

  private var validity: StyledText {
    "\(date(facts.notBefore)) to \(date(facts.notAfter)), \(state)"
  }

  private var state: StyledText {
    if now < facts.notBefore { return "\("not yet valid", .bad)" }
    if now > facts.notAfter {
      return "\("expired \(timeSpan(now - facts.notAfter)) ago", .bad)"
    }
    let left = "\(counted(Int(daysLeft.magnitude), "day")) left"
    let isSoon = facts.notAfter - now < CertificateFacts.noticePeriod
    return StyledText(left, isSoon ? .doubtful : .good)
  }
}
