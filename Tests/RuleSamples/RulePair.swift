/// A rule, a sample that breaks it and no other rule, and one that is near to breaking it.
public struct RulePair: Sendable, CustomStringConvertible {
  /// The rule's identifier.
  public let rule: String
  /// Breaks that rule, and nothing else.
  public let broken: RuleSample
  /// Breaks nothing.
  public let kept: RuleSample

  /// At least one pair for every rule.
  public static let all =
    headers + channels + topics + pushTypes + fields + wholePayloads + texts + alerts + shownTexts
    + typePayloads
    + liveActivities + keys + sounds + strayKeys + simulators + templates

  init(_ rule: String, broken: RuleSample, kept: RuleSample = RuleSample()) {
    self.rule = rule
    self.broken = broken
    self.kept = kept
  }

  /// A pair of one push type and two payloads.
  init(_ rule: String, type: String = "alert", broken: String, kept: String) {
    self.rule = rule
    self.broken = RuleSample().with(type: type, body: broken)
    self.kept = RuleSample().with(type: type, body: kept)
  }

  /// The rule.
  public var description: String {
    rule + " " + String(decoding: broken.body.prefix(60), as: UTF8.self)
  }
}
