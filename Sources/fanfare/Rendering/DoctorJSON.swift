internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import PushModel

/// A diagnosis in the form of `--json`: stable, documented in docs/formats.md.
struct DoctorJSON {
  let plan: DiagnosisPlan

  init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// An object, with a line feed at the end.
  func bytes(_ report: DiagnosisReport) -> [UInt8] {
    var json = JSONWriter(.pretty)
    json.beginObject()
    json.member("environment", plan.environment.name)
    json.member("server", "https://\(plan.target.authority)")
    json.member("verdict", report.verdict.rawValue)
    json.key("steps")
    json.beginArray()
    for finding in report.findings { write(finding, to: &json) }
    json.endArray()
    json.endObject()
    json.endLine()
    return json.bytes
  }

  private func write(_ finding: DiagnosisFinding, to json: inout JSONWriter) {
    let sentence = finding.sentence(plan)
    json.beginObject()
    json.member("step", finding.step.rawValue)
    json.member("verdict", finding.verdict.rawValue)
    json.member("text", sentence.isEmpty ? nil : sentence)
    json.key("evidence")
    json.value(finding.evidence?.json ?? nil)
    json.member("fix", finding.fix(plan))
    json.endObject()
  }
}

extension DiagnosisEvidence {
  /// The evidence by its parts; an empty object where the text says all.
  fileprivate var json: JSON {
    switch self {
    case .unchecked(let why): ["why": text(why.rawValue)]
    case .identifiers(let key, let team, let named):
      ["keyID": text(key.text), "teamID": text(team.text), "fileName": text(named?.text)]
    case .certificate(let facts, _): facts.json
    case .time(let seconds): ["epochSeconds": number(seconds)]
    case .clockOffset(let offset): ["secondsAhead": number(offset)]
    case .answer(let answer):
      [
        "status": number(answer.response.status.rawValue),
        "reason": text(answer.response.reason?.rawValue),
      ]
    case .conversation(let end): end.json
    case .unusable, .signature, .keyFault, .badSignature, .identityFault, .acceptedCertificate: [:]
    default: networkJSON
    }
  }

  private var networkJSON: JSON {
    switch self {
    case .addresses(let list): ["addresses": array(list.map { text($0.text) })]
    case .families(let reaches):
      ["families": array(reaches.map { $0.outcome.json("family", text($0.family.name)) })]
    case .ports(let reaches):
      ["ports": array(reaches.map { $0.outcome.json("port", number($0.port)) })]
    case .direct(let setting): ["proxy": nil, "unused": text(setting?.description)]
    case .tunnel(let setting):
      ["proxy": text(setting.description), "origin": text(setting.origin)]
    case .dialFailed(let error): error.json
    case .handshake(let facts, let days): facts.json(days: days)
    case .foreignRoot(let facts, _): facts.json(days: nil)
    case .chosenProtocol(let name): ["protocol": text(name)]
    case .streams(let limit): ["maxConcurrentStreams": limit.map(number) ?? nil]
    default: [:]
    }
  }
}

extension FamilyReach.Outcome {
  fileprivate func json(_ key: String, _ value: JSON) -> JSON {
    let (word, time): (String, Int?) =
      switch self {
      case .connected(let milliseconds): ("connected", milliseconds)
      case .refused: ("refused", nil)
      case .noRoute: ("noRoute", nil)
      case .silent: ("silent", nil)
      case .failed: ("failed", nil)
      }
    let members = [
      JSONMember(key: key, value: value), JSONMember(key: "outcome", value: text(word)),
      JSONMember(key: "milliseconds", value: time.map(number) ?? nil),
    ]
    return JSON(.object(JSONObject(members)))
  }
}

extension TLSConnectionFacts {
  fileprivate func json(days: Int?) -> JSON {
    let (leaf, root) = (chain.first, chain.last)
    return [
      "version": text(tlsVersion), "cipher": text(cipher), "subject": text(leaf?.subject),
      "issuer": text(leaf?.issuer), "root": text(root.map { $0.commonName ?? $0.subject }),
      "daysLeft": days.map(number) ?? nil,
      "asksForCertificate": JSON(.bool(asksForIdentity)),
    ]
  }
}

extension DialError {
  fileprivate var json: JSON {
    ["detail": text(detail), "presentedIssuer": text(presented?.issuer)]
  }
}

extension ConversationEnd {
  fileprivate var json: JSON {
    if case .goAway(let reason, let code) = self {
      return ["reason": text(reason?.rawValue), "code": number(code)]
    }
    if case .identityRefused(let alert) = self { return ["alert": text(alert.name)] }
    return [:]
  }
}

extension CertificateFacts {
  fileprivate var json: JSON {
    [
      "commonName": text(commonName), "topics": array(topics.map { text($0.topic.text) }),
      "environments": array(environments.map(\.rawValue).sorted().map { text($0) }),
      "notAfter": number(notAfter),
    ]
  }
}

private func text(_ value: String?) -> JSON { value.map { JSON(.string($0)) } ?? nil }

private func number(_ value: some BinaryInteger) -> JSON { JSON(.number(.init(Int64(value)))) }

private func array(_ elements: [JSON]) -> JSON { JSON(.array(elements)) }
