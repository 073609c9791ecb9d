import JSONText

extension RuleTable {
  /// What an `.apns` file for a simulator has to hold beside the rest.
  static let simulatorRules: [Rule] = [
    Rule(
      "simulator-type", .error, about: .simulator,
      summary: "A simulator takes alert and background pushes from a file, and no others.",
      fix: "Send it to the simulator's device token through the sandbox.",
      source: Source.simulator
    ) { draft, _ in
      if let field = draft[.pushType], !field.value.isEmpty {
        if draft.pushTypeInfo?.isTakenByFile == true { return [] }
        return [Finding(field, "A simulator takes no push of type \(quoted(field.value)).")]
      }
      guard let payload = draft.payload, let change = payload.aps?["content-changed"] else {
        return []
      }
      return [
        payload.finding(
          PayloadPath("aps", "content-changed"), change,
          "content-changed belongs to widgets and controls, which a simulator does not reload.")
      ]
    },
    Rule(
      "simulator-target", .error, about: .simulator,
      summary: "Simulator Target Bundle is a plain bundle id, without a push type's suffix.",
      fix: "Give the app's bundle id as Xcode shows it.", source: Source.simulator
    ) { draft, _ in
      guard let payload = draft.payload,
        let target = payload.json?[SimulatorTarget.key], !isBundleID(target)
      else { return [] }
      return [
        payload.finding(
          PayloadPath(SimulatorTarget.key), target, "The simulator's target is not a bundle id.")
      ]
    },
  ]

  // A suffix that is a common word may be the end of a bundle id.
  private static func isBundleID(_ value: JSON) -> Bool {
    guard let text = value.string, (try? BundleID(text)) != nil else { return false }
    return !PushType.table.contains {
      !$0.suffix.isEmpty && !$0.suffixIsCommonWord && text.hasSuffix($0.suffix)
    }
  }
}
