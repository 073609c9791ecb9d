public import JSONText

/// What a payload has to hold to be pushed to a simulator: the payload rules of ``RuleTable``, and
/// what only matters there. Such a payload reaches the app without APNs, so that no header counts.
public enum SimulatorRules {
  /// The push types that a simulator takes: those of an ordinary app (help of `simctl push`).
  public static let pushTypes: [PushType] = [.alert, .background, .liveactivity]

  /// Everything that is wrong with a draft that is to go to a simulator.
  public static func problems(in draft: Draft, _ context: RuleContext) -> [Problem] {
    let refusal = typeProblems(in: draft)
    if !refusal.isEmpty { return refusal }
    var context = context
    context.audience = .simulator
    return RuleTable.problems(in: draft, context) + placeholderProblems(in: draft)
  }

  /// What is wrong for a simulator alone; the payload rules are not asked.
  public static func ownProblems(in draft: Draft) -> [Problem] {
    typeProblems(in: draft) + placeholderProblems(in: draft)
  }

  /// What is wrong with the app that an `.apns` file names.
  ///
  /// - Parameters:
  ///   - target: The value of ``SimulatorTarget/key``; nil when the file names no app.
  ///   - file: The file's name.
  public static func problems(inTarget target: JSON?, file: String?) -> [Problem] {
    guard let target, target.string.flatMap({ try? BundleID($0) }) == nil else { return [] }
    return [
      Problem(
        .error, rule: "simulator-target", at: .payload(PayloadPath(SimulatorTarget.key)),
        from: .file(file, at: target.position),
        message: "The target bundle is \(target.string.map { quoted($0) } ?? target.kind).",
        fix: "Write the app's bundle id as Xcode shows it, without a suffix.", isForceable: false)
    ]
  }

  // MARK: Push type

  private static func typeProblems(in draft: Draft) -> [Problem] {
    if let type = draft[.pushType], !pushTypes.contains(where: { $0.rawValue == type.value }) {
      return [
        refusal(
          .header(type.name), from: type.origin ?? draft.payload.map { .file($0.file) },
          "A simulator takes no pushes of type \(quoted(type.value)).")
      ]
    }
    guard let payload = draft.payload, let change = payload.aps?["content-changed"] else {
      return []
    }
    return [
      refusal(
        .payload(PayloadPath("aps", "content-changed")),
        from: .file(payload.file, at: change.position),
        "content-changed belongs to widgets and controls, which a simulator does not reload.")
    ]
  }

  private static func refusal(
    _ place: Place, from origin: Origin?, _ message: String
  ) -> Problem {
    Problem(
      .error, rule: "simulator-type", at: place, from: origin, message: message,
      fix: "Send it to a device; a simulator takes \(alternatives(pushTypes.map(\.rawValue))).",
      isForceable: false)
  }

  // MARK: Placeholders

  private static func placeholderProblems(in draft: Draft) -> [Problem] {
    guard let payload = draft.payload, let json = payload.json else { return [] }
    return placeholders(in: json, at: PayloadPath()).map { path, value, text in
      Problem(
        .error, rule: "placeholder-unfilled", at: .payload(path),
        from: .file(payload.file, at: value.position),
        message: "The placeholder \(quoted(text)) has no value.",
        fix: "Write the value in its place; a simulator fills nothing in.", isForceable: false)
    }
  }

  private static func placeholders(
    in value: JSON, at path: PayloadPath
  ) -> [(path: PayloadPath, value: JSON, text: Substring)] {
    switch value.content {
    case .string(let text): placeholder(in: text).map { [(path, value, $0)] } ?? []
    case .array(let elements):
      elements.enumerated().flatMap { placeholders(in: $1, at: path.index($0)) }
    case .object(let object):
      object.members.flatMap { placeholders(in: $0.value, at: path.key($0.key)) }
    case .null, .bool, .number: []
    }
  }

  /// The first `{{name}}` of a text. `{{{{` stands for two braces and opens none.
  private static func placeholder(in text: String) -> Substring? {
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      let inside = rest[start.upperBound...]
      if inside.hasPrefix("{{") {
        rest = inside.dropFirst(2)
      } else if let end = inside.firstRange(of: "}}") {
        return rest[start.lowerBound..<end.upperBound]
      } else {
        return nil
      }
    }
    return nil
  }
}
