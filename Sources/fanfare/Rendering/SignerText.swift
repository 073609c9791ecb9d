internal import APNS
internal import Credentials
internal import PlainText

/// Who signs, for `--verbose`: rows of a name and a value, nothing secret.
struct SignerText {
  typealias Row = (name: String, value: String)

  let rows: [Row]

  /// Credentials that were opened.
  init(_ credentials: CredentialChoice, now: Int64) {
    switch credentials {
    case .key(let choice):
      rows = [
        ("key", Self.place(choice.name, choice.origin)), ("key id", choice.keyID.text),
        ("team id", choice.teamID.text),
      ]
    case .certificate(let choice): rows = Self.rows(of: choice, now: now)
    }
  }

  /// Credentials of which a key was not read.
  init(_ signer: Signer, now: Int64) {
    switch signer {
    case .nobody: rows = []
    case .key(let layer):
      let outline = layer.outline
      let ids: [(String, String?)] = [
        ("key id", outline.keyID?.text), ("team id", outline.teamID?.text),
      ]
      rows =
        [("key", Self.place(shownPath(outline.place), layer.origin))]
        + ids.compactMap { row in row.1.map { (row.0, $0) } }
    case .certificate(let choice): rows = Self.rows(of: choice, now: now)
    }
  }

  private static func rows(of choice: CertificateChoice, now: Int64) -> [Row] {
    let facts = choice.facts
    let days = (facts.notAfter - now) / 86_400
    let rows: [(String, String?)] = [
      ("certificate", place(choice.name, choice.origin)), ("common name", facts.commonName),
      ("kind", facts.kind?.name), ("topics", facts.topics.isEmpty ? nil : facts.topics.names),
      ("environments", facts.environments.isEmpty ? nil : facts.environments.names),
      ("valid until", "\(utcDay(facts.notAfter)) (\(counted(Int(days), "day")))"),
    ]
    return rows.compactMap { row in row.1.map { (row.0, $0) } }
  }

  private static func place(_ name: String, _ origin: String?) -> String {
    guard let origin, origin != name else { return name }
    return "\(name) (from \(origin))"
  }
}
