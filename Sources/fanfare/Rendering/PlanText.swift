internal import APNS
internal import HTTP2
internal import PlainText
internal import PushCore

/// What a run is about to do, for `--verbose`: where it goes, who signs, what is sent.
struct PlanText {
  private let plan: DeliveryPlan
  private let credentials: CredentialChoice

  init(_ plan: DeliveryPlan, _ credentials: CredentialChoice) {
    self.plan = plan
    self.credentials = credentials
  }

  /// The lines, with a line feed at the end.
  var text: String {
    var rows = [
      ("server", plan.target.authority),
      (
        "trusts",
        ["the system", plan.target.additionalRoots].compactMap(\.self).joined(separator: ", ")
      ),
      ("proxy", proxy), ("key", credentials.name), ("key id", credentials.keyID.text),
      ("team id", credentials.teamID.text),
    ]
    rows += plan.fields.map { ($0.name.text, $0.value) }
    let payload = plan.payload.map { "\($0.bytes.count) bytes" }
    rows.append(("payload", payload ?? "rendered for each recipient"))
    rows.append(("connections", "at most \(plan.connections)"))
    return rows.map { "\($0.0): \($0.1.printable)\n" }.joined()
  }

  private var proxy: String {
    let target = plan.target
    guard let proxy = target.proxy, !proxy.url.isEmpty else { return "none" }
    return target.proxyInUse?.place ?? "none, for NO_PROXY names \(target.host)"
  }
}

extension ProxySetting {
  /// The proxy and where it was named, without the name and password that its URL may hold.
  var place: String { origin.isEmpty ? description : "\(description) (from \(origin))" }
}
