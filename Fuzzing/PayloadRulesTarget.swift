import APNS
import JSONText

extension FuzzTarget {
  /// Bytes as the payload of every push type, for a device and for a simulator.
  static let payloadRules = FuzzTarget("PayloadRules") { bytes in
    let payload = DraftPayload(reading: bytes, file: "payload.json")
    let text = TextLines(bytes)
    for type in PushType.table.map(\.type) {
      let draft = try draft(of: type, payload)
      for audience in [RuleContext.Audience.device, .simulator] {
        let context = RuleContext(now: 1_800_000_000, authentication: .token, audience: audience)
        for problem in try problems(of: draft, context) {
          if let position = problem.origin?.position { try text.expectInside(position) }
        }
      }
      try expectSimulatorFile(of: draft)
    }
    if let json = payload.json { try expectEdits(of: json) }
  }

  private static func draft(of type: PushType, _ payload: DraftPayload) throws -> Draft {
    let topic = Topic(try app, for: type)
    let fields = [DraftField(.topic, topic.text), DraftField(.pushType, type.rawValue)]
    return Draft(fields: fields, payload: payload)
  }

  private static var app: BundleID { get throws { try BundleID("com.example.shop") } }

  /// The file for a simulator, where the payload may go into one, holds the payload and the app.
  private static func expectSimulatorFile(of draft: Draft) throws {
    let app = try app
    let context = RuleContext(now: 1_800_000_000)
    guard draft.payload?.json?[SimulatorTarget.key] == nil,
      let file = try? SimulatorFile(draft, for: app, in: context)
    else { return }
    let (payload, target) = SimulatorTarget.strip(from: try JSONReader().read(file.bytes))
    try expect(payload.object == file.payload, "a simulator's file holds the payload")
    try expect(target?.string == app.text, "a simulator's file names the app")
  }

  /// What options and simulators do to a payload: an edited one still is what it was.
  private static func expectEdits(of payload: JSON) throws {
    let patch = try PayloadPatch([
      PayloadChange(["aps", "alert", "title"], to: "title"),
      PayloadChange(["aps", "sound", "name"], to: "sound"),
      PayloadChange(["aps-like"], to: true),
    ])
    let edited = patch.applied(to: payload)
    try expect(patch.applied(to: edited) == edited, "edits made twice are made once")
    let (stripped, _) = SimulatorTarget.strip(from: payload)
    try expect(stripped[SimulatorTarget.key] == nil, "the simulator's key is gone")
    _ = PushTypeInference.infer(from: payload)
  }
}
