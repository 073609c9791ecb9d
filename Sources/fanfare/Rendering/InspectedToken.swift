internal import APNS
internal import Credentials
internal import JSONText
internal import PlainText

/// A provider token that was inspected. Its text is not kept.
struct InspectedToken: InspectedRows {
  let file: String
  let facts: ProviderTokenFacts
  /// Whether the key that was given signed it; nil when none was given.
  let isSigned: Bool?
  let permissions: FilePermissions?
  /// Seconds since 1970 UTC.
  let now: Int64

  private enum State: String { case valid, expired, future }

  private var age: Int64? { facts.issuedAt.map { now - $0 } }

  private var state: State? {
    age.map { $0 < 0 ? .future : $0 > ProviderTokenFacts.lifetime ? .expired : .valid }
  }

  private var end: String? {
    facts.issuedAt.map { ISO8601.text(seconds: $0 + ProviderTokenFacts.lifetime) }
  }

  func sections(_ style: Style) -> [InspectSection] {
    let rows: [(String, String?)] = [
      ("kind", "provider token"), ("key id", facts.keyID?.text), ("team id", facts.teamID?.text),
      ("issued at", facts.issuedAt.map(issued)), ("valid until", end.map { validity($0, style) }),
      ("signature", signature(style)),
      ("other members", listed(facts.otherMembers)), ("permissions", permissions?.row(style)),
    ]
    let problems = facts.flaws.map { ("problem", style.bad($0.sentence)) as (String, String?) }
    return [InspectSection(rows + problems)]
  }

  private func issued(_ second: Int64) -> String {
    let age = now - second
    let distance = timeSpan(abs(age))
    return ISO8601.text(seconds: second) + (age < 0 ? ", in \(distance)" : ", \(distance) ago")
  }

  private func validity(_ end: String, _ style: Style) -> String {
    switch state {
    case .valid?: "\(end), \(style.good("valid"))"
    case .expired?: "\(end), \(style.bad("expired"))"
    case .future?: "\(end), \(style.bad("from the future: one of the clocks is wrong"))"
    case nil: end
    }
  }

  private func signature(_ style: Style) -> String? {
    guard let form = facts.signatureForm else { return nil }
    let text = form == .raw ? "64 bytes" : "DER, which APNs takes too"
    return switch isSigned {
    case true?: "\(text), \(style.good("signed by the key given"))"
    case false?: "\(text), \(style.bad("not signed by the key given"))"
    case nil: "\(text), not verified; --key FILE does it"
    }
  }

  var members: [(String, JSON)] {
    [
      ("kind", "provider token"), ("algorithm", .text(facts.algorithm.map(excerpt))),
      ("keyID", .text(facts.keyID?.text)), ("teamID", .text(facts.teamID?.text)),
      ("issuedAt", .text(facts.issuedAt.map { ISO8601.text(seconds: $0) })),
      ("ageSeconds", .number(age)), ("validUntil", .text(end)), ("state", .text(state?.rawValue)),
      ("signature", .text(facts.signatureForm?.rawValue)), ("signedByKey", .flag(isSigned)),
      ("otherMembers", .texts(facts.otherMembers.prefix(20).map(excerpt))),
      ("problems", .texts(facts.flaws.map(\.sentence))),
    ] + .permissions(permissions)
  }

  private func listed(_ names: [String]) -> String? {
    names.isEmpty
      ? nil : names.prefix(20).map { excerpt($0).printable }.joined(separator: ", ")
  }
}

/// The start of a text that a stranger wrote, too short for a secret.
private func excerpt(_ text: String) -> String { text.count > 20 ? text.prefix(20) + "…" : text }

/// A time span in its greatest unit: `40 s`, `12 min`, `5 h`, `30 days`.
func timeSpan(_ seconds: Int64) -> String {
  switch seconds {
  case ..<120: "\(seconds) s"
  case ..<7200: "\(seconds / 60) min"
  case ..<172_800: "\(seconds / 3600) h"
  default: "\(grouped(Int(seconds / 86_400))) days"
  }
}

extension ProviderTokenFacts.Flaw {
  /// What is wrong.
  var sentence: String {
    switch self {
    case .whiteSpace: "White space stands in the middle of it."
    case .plainBase64: "It is written in plain base64; '+', '/' and '=' must not occur."
    case .algorithm(let name?): "alg is '\(excerpt(name).printable)'; APNs takes ES256 only."
    case .algorithm(nil): "alg is missing; it must be ES256."
    case .noKeyID: "kid, the key id, is missing in the header."
    case .keyID(let error): "kid is no key id: \(error.clause)."
    case .noTeamID: "iss, the team id, is missing in the claims."
    case .teamID(let error): "iss is no team id: \(error.clause)."
    case .sameIDs: "kid and iss are the same; kid is the key's id, iss the team's."
    case .noIssueTime: "iat, the time of issue, is missing or no number."
    case .textualIssueTime: "iat is written as text; it must be a number without quotes."
    case .fractionalIssueTime: "iat has a fraction or an exponent; it must be whole seconds."
    case .issueTimeInMilliseconds: "iat counts milliseconds; it must be seconds."
    case .signature(let bytes):
      "The signature has \(counted(bytes, "byte")) and is no DER; ES256 makes 64."
    }
  }
}

extension ProviderTokenFault {
  /// What it is instead of a provider token.
  var sentence: String {
    switch self {
    case .parts(let count):
      "This is no provider token: it has \(counted(count, "part")) between dots instead of three."
    case .notBase64(let part): "This is no provider token: its \(part.rawValue) is no base64."
    case .notJSON(let part): "This is no provider token: its \(part.rawValue) is no JSON object."
    }
  }

  /// What to do about it.
  var fix: String { "Copy the whole token; 'fanfare token' prints one." }
}
