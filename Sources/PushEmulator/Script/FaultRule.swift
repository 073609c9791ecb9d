/// What becomes of some pushes.
public struct FaultRule: Sendable, Hashable {
  /// Which pushes it is for.
  public var condition: PushCondition
  /// What becomes of them.
  public var answer: EmulatorAnswer
  /// For how many of them; then the rule fits none. Nil for all of them.
  public var times: Int?

  /// A rule.
  public init(_ condition: PushCondition, _ answer: EmulatorAnswer, times: Int? = nil) {
    self.condition = condition
    self.answer = answer
    self.times = times
  }
}
