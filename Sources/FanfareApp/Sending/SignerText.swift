internal import APNS
internal import Credentials
internal import PlainText
internal import Projects

/// Who signs, for `--verbose`: rows of a name and a value, nothing secret.
struct SignerText {
  typealias Row = (name: String, value: String)

  let rows: [Row]

  /// Credentials that were opened.
  init(_ credentials: OpenedCredentials, now: Int64) {
    rows = Self.rows(of: credentials, now: now)
  }

  /// Credentials of which a key was not read.
  init(_ named: NamedCredentials, now: Int64) {
    rows =
      named.certificate.map { Self.rows(of: $0, now: now) }
      ?? KeySettings(named.settings).map(Self.rows) ?? []
  }

  private static func rows(of credentials: OpenedCredentials, now: Int64) -> [Row] {
    switch credentials.kind {
    case .key(let keyID, let teamID, _):
      [
        ("key", place(credentials.name, credentials.origin)), ("key ID", keyID.text),
        ("team ID", teamID.text),
      ]
    case .certificate(let certificate, _):
      rows(of: certificate.facts, credentials, now: now)
    }
  }

  private static func rows(of key: KeySettings) -> [Row] {
    let outline = key.outline
    let ids: [(String, String?)] = [
      ("key ID", outline.keyID?.text), ("team ID", outline.teamID?.text),
    ]
    return [("key", place(shownPath(outline.place), key.key.origin.text))]
      + ids.compactMap { row in row.1.map { (row.0, $0) } }
  }

  private static func rows(
    of facts: CertificateFacts, _ credentials: OpenedCredentials, now: Int64
  ) -> [Row] {
    let days = (facts.notAfter - now) / 86_400
    let rows: [(String, String?)] = [
      ("certificate", place(credentials.name, credentials.origin)),
      ("common name", facts.commonName),
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
