public import JSONText

/// The contents of an `.apns` file: a payload, and its target app on a simulator.
public struct SimulatorFile: Sendable, Hashable {
  /// The app: always a plain bundle ID, never a topic with a suffix.
  public let bundleID: BundleID
  /// The payload without the key for the app.
  public let payload: JSONObject
  /// The broken rules of severity warning.
  public let warnings: [Problem]

  /// Creates a file from a draft.
  ///
  /// - Parameters:
  ///   - draft: The notification; its headers are not written to the file.
  ///   - bundleID: The app.
  ///   - context: The context for the rules; the audience is set to a simulator.
  /// - Throws: `BrokenRules` with all problems of the draft, if one of them is an error.
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

  /// The file's text, indented, ending in a line feed.
  public var bytes: [UInt8] {
    let target = JSONMember(key: SimulatorTarget.key, value: JSON(.string(bundleID.text)))
    let whole = JSONObject([target] + payload.members)
    return JSON(.object(whole)).encoded(.pretty) + [UInt8(ascii: "\n")]
  }
}
