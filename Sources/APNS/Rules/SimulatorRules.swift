import JSONText

extension RuleTable {
  /// The additional rules for a simulator's `.apns` file.
  static let simulatorRules: [Rule] = [
    Rule(
      "simulator-type", .error, about: .simulator,
      summary: "From a file, a simulator accepts only pushes of type \(fileTypes).",
      fix: "Send it to the simulator's device token through the sandbox.",
      source: Source.simulator
    ) { draft, _ in
      if let field = draft[.pushType], !field.value.isEmpty {
        if draft.pushTypeInfo?.isTakenByFile == true { return [] }
        return [
          Finding(
            field, "A simulator does not accept pushes of type \(quoted(field.value)) from a file.")
        ]
      }
      guard let payload = draft.payload, let change = payload.aps?["content-changed"] else {
        return []
      }
      return [
        payload.finding(
          PayloadPath("aps", "content-changed"), change,
          "content-changed reloads widgets or controls, which a simulator does not do.")
      ]
    },
    Rule(
      "simulator-target", .error, about: .simulator,
      summary: "Simulator Target Bundle is a plain bundle ID, without a push type's suffix.",
      fix: "Use the app's bundle ID as Xcode shows it.", source: Source.simulator
    ) { draft, _ in
      guard let payload = draft.payload,
        let target = payload.json?[SimulatorTarget.key], !isBundleID(target)
      else { return [] }
      return [
        payload.finding(
          PayloadPath(SimulatorTarget.key), target, "Simulator Target Bundle is not a bundle ID.")
      ]
    },
  ]

  private static let fileTypes = alternatives(
    PushType.table.filter(\.isTakenByFile).map(\.type.rawValue))

  // True for a plain bundle ID, which may end in a suffix that is a common word.
  private static func isBundleID(_ value: JSON) -> Bool {
    guard let text = value.string, (try? BundleID(text)) != nil else { return false }
    return !PushType.table.contains {
      !$0.suffix.isEmpty && !$0.suffixIsCommonWord && text.hasSuffix($0.suffix)
    }
  }
}
