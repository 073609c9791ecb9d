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
    }
    if let json = payload.json { try expectEdits(of: json) }
  }

  private static func draft(of type: PushType, _ payload: DraftPayload) throws -> Draft {
    let topic = Topic(try BundleID("com.example.shop"), for: type)
    let fields = [DraftField(.topic, topic.text), DraftField(.pushType, type.rawValue)]
    return Draft(fields: fields, payload: payload)
  }

  /// What options and simulators do to a payload: an edited one still is what it was.
  private static func expectEdits(of payload: JSON) throws {
    var edits = PayloadEdits()
    edits.title = "title"
    edits.sound = "sound"
    edits.data = [JSONMember(key: "aps-like", value: true)]
    let edited = edits.apply(to: payload)
    try expect(edits.apply(to: edited) == edited, "edits made twice are made once")
    let (stripped, _) = SimulatorTarget.strip(from: payload)
    try expect(stripped[SimulatorTarget.key] == nil, "the simulator's key is gone")
    _ = PushTypeInference.infer(from: payload)
  }
}
