internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import PlainText
internal import Projects

/// A line of `--verbose`.
typealias PlanRow = (name: String, value: String)

extension [PlanRow] {
  /// The lines, each with a line feed at its end.
  var text: String { map { "\($0.name): \($0.value.printable)\n" }.joined() }
}

extension DeliveryPlan {
  /// What a run is about to do: where it goes, who signs, what is sent.
  func rows(_ server: ServerChoice, _ signer: SignerText) -> [PlanRow] {
    let trusted = ["the system", target.additionalRoots].compactMap(\.self)
    let place: [PlanRow] = [
      ("server", "\(target.authority) (from \(server.origin))"),
      ("trusts", trusted.joined(separator: ", ")), ("proxy", proxy),
    ]
    return place + signer.rows + fields.map { ($0.name.text, $0.value) } + [
      ("payload", payload.map { "\($0.bytes.count) bytes" } ?? "rendered for each recipient"),
      ("connections", "at most \(connections)"),
    ]
  }

  private var proxy: String {
    guard let proxy = target.proxy, !proxy.url.isEmpty else { return "none" }
    return target.proxyInUse?.place ?? "none, for NO_PROXY names \(target.host)"
  }
}

extension ProxySetting {
  /// The proxy and where it was named, without the name and password that its URL may hold.
  var place: String { origin.isEmpty ? description : "\(description) (from \(origin))" }
}

/// What authenticates the requests, for `--verbose`. Nothing in it is secret.
struct SignerText {
  let rows: [PlanRow]

  init(_ credentials: OpenedCredentials, now: Int64) {
    let place = Self.place(credentials.name, credentials.origin)
    switch credentials.kind {
    case .key(let keyID, let teamID, _):
      rows = [("key", place), ("key ID", keyID.text), ("team ID", teamID.text)]
    case .certificate(let certificate, _):
      rows = [("certificate", place)] + Self.rows(of: certificate.facts, now: now)
    }
  }

  /// Credentials of which a key was not read.
  init(_ named: NamedCredentials, now: Int64) {
    rows =
      named.certificate.map { SignerText($0, now: now).rows }
      ?? KeySettings(named.settings).map(Self.rows) ?? []
  }

  private static func rows(of key: KeySettings) -> [PlanRow] {
    let outline = key.outline
    return rows([
      ("key", place(shownPath(outline.place), key.key.origin.text)),
      ("key ID", outline.keyID?.text), ("team ID", outline.teamID?.text),
    ])
  }

  private static func rows(of facts: CertificateFacts, now: Int64) -> [PlanRow] {
    let days = (facts.notAfter - now) / 86_400
    return rows([
      ("common name", facts.commonName), ("kind", facts.kind?.name),
      ("topics", facts.topics.isEmpty ? nil : facts.topics.names),
      ("environments", facts.environments.isEmpty ? nil : facts.environments.names),
      ("valid until", "\(utcDay(facts.notAfter)) (\(counted(Int(days), "day")))"),
    ])
  }

  private static func rows(_ rows: [(String, String?)]) -> [PlanRow] {
    rows.compactMap { row in row.1.map { (row.0, $0) } }
  }

  private static func place(_ name: String, _ origin: String?) -> String {
    guard let origin, origin != name else { return name }
    return "\(name) (from \(origin))"
  }
}
