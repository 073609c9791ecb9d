internal import APNS
internal import Delivery
internal import HTTP2
internal import PlainText

/// What a run is about to do, for `--verbose`: where it goes, who signs, what is sent.
struct PlanText {
  let plan: DeliveryPlan
  let server: ServerChoice
  let signer: SignerText

  /// The lines, with a line feed at the end.
  var text: String {
    var rows = [
      ("server", "\(plan.target.authority) (from \(server.origin))"),
      (
        "trusts",
        ["the system", plan.target.additionalRoots].compactMap(\.self).joined(separator: ", ")
      ),
      ("proxy", proxy),
    ]
    rows += signer.rows
    rows += plan.fields.map { ($0.name.text, $0.value) }
    let payload = plan.payload.map { "\($0.bytes.count) bytes" }
    rows.append(("payload", payload ?? "rendered for each recipient"))
    rows.append(("connections", "at most \(plan.connections)"))
    return Self.lines(rows)
  }

  /// Rows as they are printed.
  static func lines(_ rows: [SignerText.Row]) -> String {
    rows.map { "\($0.name): \($0.value.printable)\n" }.joined()
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
