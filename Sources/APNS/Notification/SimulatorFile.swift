public import JSONText

/// What an `.apns` file holds: a payload, and the app on a simulator that it is for.
public struct SimulatorFile: Sendable, Hashable {
  /// The app: always the plain bundle ID, never a topic with a suffix.
  public let bundleID: BundleID
  /// The payload without the key that names the app.
  public let payload: JSONObject
  /// Rules of severity warning that the payload breaks.
  public let warnings: [Problem]

  /// Makes a file of a draft.
  ///
  /// - Parameters:
  ///   - draft: The notification; its headers do not go into the file.
  ///   - bundleID: The app.
  ///   - context: What the rules have to know; the audience is taken to be a simulator.
  /// - Throws: `BrokenRules` with every problem of the draft when one of them is an error.
  public init(
    _ draft: Draft, for bundleID: BundleID, in context: RuleContext
  ) throws(BrokenRules) {
    var context = context
    context.audience = .simulator
    let problems = RuleTable.problems(in: draft, context)
    guard !problems.contains(where: { $0.severity == .error }),
      let payload = draft.payload?.json?.object
    else { throw BrokenRules(problems) }
    self.bundleID = bundleID
    self.payload = payload
    warnings = problems
  }

  /// The file's text, indented, with a line feed at the end.
  public var bytes: [UInt8] {
    let target = JSONMember(key: SimulatorTarget.key, value: JSON(.string(bundleID.text)))
    let whole = JSONObject([target] + payload.members)
    return JSON(.object(whole)).encoded(.pretty) + [UInt8(ascii: "\n")]
  }
}
