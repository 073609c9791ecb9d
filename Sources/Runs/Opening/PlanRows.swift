internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import PlainText
internal import PushModel
internal import Reporting
internal import Settings

/// A line of `--verbose`.
typealias PlanRow = (name: String, value: String)

extension Teller {
  /// Prints rows with `--verbose`.
  func detail(_ rows: @autoclosure () -> [PlanRow]) {
    if level != .verbose { return }
    for (name, value) in rows() { detail("\(name): \(value.printable)") }
  }
}

extension DeliveryPlan {
  /// The plan of a run: destination, signer and contents.
  func rows(_ server: ServerChoice, signedBy signer: [PlanRow]) -> [PlanRow] {
    let trusted = ["the system", target.additionalRoots].compactMap(\.self)
    let isInside = server.address == nil && target.port == 0
    let place: [PlanRow] = [
      ("server", "\(isInside ? "an emulator inside" : target.authority) (from \(server.origin))"),
      ("trusts", trusted.joined(separator: ", ")), ("proxy", proxy),
    ]
    let path = idHeader == .requestID ? [("path", path)] : []
    return place + signer + path + fields.map { ($0.name.text, $0.value) } + [
      ("payload", payload.map { "\($0.bytes.count) bytes" } ?? "rendered for each recipient"),
      ("connections", connections.text),
    ]
  }

  private var proxy: String {
    guard let proxy = target.proxy, !proxy.url.isEmpty else { return "none" }
    return target.proxyInUse?.place ?? "none, because NO_PROXY names \(target.host)"
  }
}

// The credentials, without anything secret.
extension OpenedCredentials {
  func rows(now: Int64) -> [PlanRow] {
    let place = place(name, origin)
    switch kind {
    case .key(let keyID, let teamID, _):
      return [("key", place), ("key ID", keyID.text), ("team ID", teamID.text)]
    case .certificate(let certificate, _):
      return [("certificate", place)] + certificate.facts.rows(now: now)
    }
  }
}

extension NamedCredentials {
  func rows(now: Int64) -> [PlanRow] {
    certificate?.rows(now: now) ?? KeySettings(settings)?.rows ?? []
  }
}

extension KeySettings {
  fileprivate var rows: [PlanRow] {
    let outline = outline
    return known([
      ("key", place(shownPath(outline.place), key.origin.text)),
      ("key ID", outline.keyID?.text), ("team ID", outline.teamID?.text),
    ])
  }
}

extension CertificateFacts {
  fileprivate func rows(now: Int64) -> [PlanRow] {
    let days = (notAfter - now) / 86_400
    return known([
      ("common name", commonName), ("kind", kind?.name),
      ("topics", topics.isEmpty ? nil : topics.names),
      ("environments", environments.isEmpty ? nil : environments.names),
      ("valid until", "\(utcDay(notAfter)) (\(counted(Int(days), "day")))"),
    ])
  }
}

private func known(_ rows: [(String, String?)]) -> [PlanRow] {
  rows.compactMap { row in row.1.map { (row.0, $0) } }
}

private func place(_ name: String, _ origin: String?) -> String {
  guard let origin, origin != name else { return name }
  return "\(name) (from \(origin))"
}
