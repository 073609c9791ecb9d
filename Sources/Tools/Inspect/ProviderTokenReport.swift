internal import APNS
internal import Credentials
internal import JSONText
internal import PlainText
internal import Reporting

/// A report on a provider token. Its text is not kept.
struct ProviderTokenReport: JSONDescribed {
  let facts: ProviderTokenFacts
  /// Nil if no key was given.
  let isSigned: Bool?
  /// Seconds since 1970 UTC.
  let now: Int64
  let permissions: FilePermissions?

  private enum State: String, JSONWord { case valid, expired, future }

  private var age: Int64? { facts.issuedAt.map { now - $0 } }

  private var state: State? {
    age.map { $0 < 0 ? .future : $0 > ProviderTokenFacts.lifetime ? .expired : .valid }
  }

  private var end: String? {
    facts.issuedAt.map { ISO8601.text(seconds: $0 + ProviderTokenFacts.lifetime) }
  }

  static let fields: [OutputField<Self>] = [
    .always(
      "kind", { _ in "provider token" }, "What the file contains.", .word(["provider token"]),
      as: "kind"),
    .always("algorithm", { $0.facts.algorithm.map(excerpt) }, "The value of alg."),
    .always("keyID", \.facts.keyID?.text, "The value of kid.", as: "key ID"),
    .always("teamID", \.facts.teamID?.text, "The value of iss.", as: "team ID"),
    .always(
      "issuedAt", { $0.facts.issuedAt.map { ISO8601.text(seconds: $0) } }, "The time of iat.",
      as: "issued at", { $0.facts.issuedAt.map($0.issued) }),
    .always("ageSeconds", \.age, "How old it is."),
    .always("validUntil", \.end, "When it expires.", as: "valid until") { $0.end.map($0.validity) },
    .always("state", \.state, "Whether it is valid."),
    .always("signature", \.facts.signatureForm?.rawValue, "raw or DER.", as: "signature") {
      $0.signature
    }, .always("signedByKey", \.isSigned, "Whether the given key signed it."),
    .always(
      "otherMembers", { $0.facts.otherMembers.prefix(20).map(excerpt) },
      "Members that APNs does not use.", as: "other members"),
    .always("problems", { $0.facts.flaws.map(\.sentence) }, "Mistakes in how it was made."),
    .people {
      $0.facts.flaws.map { .text("problem", StyledText($0.sentence, .bad)) }
        + [.text("permissions", $0.permissions?.shown)]
    }, .all(FilePermissions.fields) { $0.permissions },
  ]

  private func issued(_ second: Int64) -> StyledText {
    let age = now - second
    let distance = TimeSpan.text(seconds: age)
    return "\(ISO8601.text(seconds: second)), \(age < 0 ? "in \(distance)" : "\(distance) ago")"
  }

  private func validity(_ end: String) -> StyledText {
    switch state {
    case .valid?: "\(end), \("valid", .good)"
    case .expired?: "\(end), \("expired", .bad)"
    case .future?: "\(end), \("issued in the future: one of the clocks is wrong", .bad)"
    case nil: "\(end)"
    }
  }

  private var signature: StyledText? {
    guard let form = facts.signatureForm else { return nil }
    let text = form == .raw ? "64 bytes" : "DER, which APNs also accepts"
    return switch isSigned {
    case true?: "\(text), \("signed by the given key", .good)"
    case false?: "\(text), \("not signed by the given key", .bad)"
    case nil: "\(text), not verified; give --key FILE to verify it"
    }
  }
}

/// The start of foreign text, too short to reveal a secret.
private func excerpt(_ text: String) -> String { text.count > 20 ? text.prefix(20) + "…" : text }

extension ProviderTokenFacts.Flaw {
  fileprivate var sentence: String {
    switch self {
    case .whiteSpace: "There is white space in the middle of it."
    case .plainBase64: "It is written in plain base64; '+', '/' and '=' must not occur."
    case .algorithm(let name?): "alg is '\(excerpt(name).printable)'; APNs accepts only ES256."
    case .algorithm(nil): "alg is missing; it must be ES256."
    case .noKeyID: "kid, the key ID, is missing in the header."
    case .keyID(let error): "kid is not a key ID: \(error.clause)."
    case .noTeamID: "iss, the team ID, is missing in the claims."
    case .teamID(let error): "iss is not a team ID: \(error.clause)."
    case .sameIDs: "kid and iss are the same; kid is the key ID, iss the team ID."
    case .noIssueTime: "iat, the time of issue, is missing or not a number."
    case .textualIssueTime: "iat is written as text; it must be a number without quotes."
    case .fractionalIssueTime: "iat has a fraction or an exponent; it must be whole seconds."
    case .issueTimeInMilliseconds: "iat is in milliseconds; it must be in seconds."
    case .signature(let bytes):
      "The signature has \(counted(bytes, "byte")) and is not DER; an ES256 signature has 64."
    }
  }
}

extension ProviderTokenFault: Described {
  package var sentence: String {
    switch self {
    case .parts(let count):
      "Not a provider token: it has \(counted(count, "dot-separated part")) instead of three."
    case .notBase64(let part): "Not a provider token: its \(part.rawValue) is not base64."
    case .notJSON(let part): "Not a provider token: its \(part.rawValue) is not a JSON object."
    }
  }

  package var fix: String { "Copy the whole token; 'fanfare token' prints one." }
}
