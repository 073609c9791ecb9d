internal import APNS

/// Decides on pushes by the rules of a script. A value: the same pushes in the same order are
/// decided on in the same way.
struct ScriptMatcher {
  private let seed: UInt64
  private let rules: [FaultRule]
  private let countsAttempts: Bool
  private var uses: [Int]
  private var attempts: [DeviceToken: Int] = [:]

  init(_ script: FaultScript) {
    seed = script.seed
    rules = script.rules
    countsAttempts = rules.contains { $0.condition.countsAttempts }
    uses = rules.map { _ in 0 }
  }

  /// What becomes of a push; nil when no rule fits it.
  mutating func answer(to push: IncomingPush) -> EmulatorAnswer? {
    let attempt = countsAttempts ? count(push.token) : 0
    for (place, rule) in rules.enumerated() where uses[place] < rule.times ?? .max {
      let fits = rule.condition.holds(for: push, attempt: attempt) {
        chance(rule: place, push.token, attempt: attempt)
      }
      guard fits else { continue }
      uses[place] += 1
      return rule.answer
    }
    return nil
  }

  private mutating func count(_ token: DeviceToken) -> Int {
    attempts[token, default: 0] += 1
    return attempts[token, default: 0]
  }

  /// A number from 0 to 1 that is always the same for the same push. Each rule rolls dice of its
  /// own: otherwise what one rule missed no later one could hit.
  private func chance(rule: Int, _ token: DeviceToken, attempt: Int) -> Double {
    var hash = StableHash(seed)
    hash.combine(UInt64(rule))
    hash.combine(UInt64(attempt))
    for byte in token.hex.utf8 { hash.combine(UInt64(byte)) }
    return hash.fraction
  }
}
