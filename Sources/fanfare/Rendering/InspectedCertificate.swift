internal import APNS
internal import Credentials
internal import JSONText
internal import PlainText

/// One certificate of a file that was inspected.
struct InspectedCertificate {
  let facts: CertificateFacts
  /// Seconds since 1970 UTC.
  let now: Int64

  private static let day: Int64 = 86_400

  /// What is wrong with it whatever is sent where.
  private var problems: [CertificateProblem] {
    facts.problems(now: now, environment: .emulator, topic: nil, pushType: nil)
  }

  /// Why no push can be sent with it; nil when one can.
  var fault: CertificateProblem? { problems.first { $0.severity == .error } }

  /// What it says, for a person.
  func rows(_ style: Style) -> [(String, String?)] {
    [
      ("common name", facts.commonName?.printable), ("purpose", purpose),
      ("app", facts.userID?.printable), ("team", facts.organizationalUnit?.printable),
      ("environments", environments), ("topics", topics),
      ("valid", "\(date(facts.notBefore)) to \(date(facts.notAfter)), \(validity(style))"),
      ("issuer", facts.issuer?.printable), ("serial", facts.serial),
      ("key", facts.keyKind.printable), ("SHA-256", hexadecimal(facts.sha256)),
      ("key's SHA-256", facts.publicKeySHA256.map(hexadecimal)),
    ]
  }

  private var purpose: String {
    if let kind = facts.kind { return kind.name }
    return facts.isForPush ? "push" : "not known; Apple's push certificates have another name"
  }

  private var environmentNames: [String] { facts.environments.map(\.rawValue).sorted() }

  private var environments: String? {
    facts.environments.isEmpty ? nil : environmentNames.joined(separator: ", ")
  }

  private var topics: String? {
    if facts.topics.isEmpty { return nil }
    return facts.topics.map { topic in
      let labels = topic.labels.map(\.printable).joined(separator: ", ")
      return topic.topic.text.printable + (labels.isEmpty ? "" : " (\(labels))")
    }.joined(separator: ", ")
  }

  private func date(_ seconds: Int64) -> String { ISO8601.text(seconds: seconds) }

  /// Whole days until its end, negative behind it.
  private var daysLeft: Int64 {
    let left = facts.notAfter - now
    return left >= 0 ? left / Self.day : -((Self.day - 1 - left) / Self.day)
  }

  private func validity(_ style: Style) -> String {
    let left = counted(Int(daysLeft.magnitude), "day")
    if now < facts.notBefore { return style.bad("not yet valid") }
    if now > facts.notAfter { return style.bad("expired \(timeSpan(now - facts.notAfter)) ago") }
    let text = "\(left) left"
    return facts.notAfter - now < CertificateFacts.noticePeriod
      ? style.doubtful(text) : style.good(text)
  }

  /// What it says, for a script.
  var json: JSON {
    [
      "commonName": .text(facts.commonName), "purpose": .text(facts.kind?.name),
      "isForPush": .flag(facts.isForPush), "userID": .text(facts.userID),
      "organizationalUnit": .text(facts.organizationalUnit),
      "environments": .texts(environmentNames), "topics": JSON(.array(facts.topics.map(json))),
      "notBefore": .text(date(facts.notBefore)), "notAfter": .text(date(facts.notAfter)),
      "daysLeft": .number(daysLeft), "issuer": .text(facts.issuer), "serial": .text(facts.serial),
      "keyAlgorithm": .text(facts.keyKind), "sha256": .text(hexadecimal(facts.sha256)),
      "publicKeySHA256": .text(facts.publicKeySHA256.map(hexadecimal)),
      "problems": .texts(problems.map(\.clause)),
    ]
  }

  private func json(_ topic: CertificateTopic) -> JSON {
    ["topic": .text(topic.topic.text), "labels": .texts(topic.labels)]
  }
}
