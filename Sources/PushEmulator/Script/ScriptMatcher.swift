internal import Synchronization

/// Decides on pushes by the rules of a script. A value: the same pushes in the same order are
/// decided on in the same way.
struct ScriptMatcher {
  private let seed: UInt64
  private let rules: [FaultRule]
  private let countsAttempts: Bool
  private var uses: [Int]
  private var attempts: [String: Int] = [:]

  init(_ script: FaultScript) {
    seed = script.seed
    rules = script.rules
    countsAttempts = rules.contains { $0.condition.countsAttempts }
    uses = rules.map { _ in 0 }
  }

  /// What becomes of a push; nil when no rule fits it.
  mutating func answer(to push: IncomingPush) -> EmulatorAnswer? {
    let recipient = countsAttempts ? push.recipient : ""
    let attempt = countsAttempts ? count(recipient) : 0
    for (place, rule) in rules.enumerated() where uses[place] < rule.times ?? .max {
      let fits = rule.condition.holds(for: push, attempt: attempt) {
        chance(rule: place, recipient, attempt: attempt)
      }
      guard fits else { continue }
      uses[place] += 1
      return rule.answer
    }
    return nil
  }

  private mutating func count(_ recipient: String) -> Int {
    attempts[recipient, default: 0] += 1
    return attempts[recipient, default: 0]
  }

  /// A number from 0 to 1 that is always the same for the same push. Each rule rolls dice of its
  /// own: otherwise what one rule missed no later one could hit.
  private func chance(rule: Int, _ recipient: String, attempt: Int) -> Double {
    var hash = StableHash(seed)
    hash.combine(UInt64(rule))
    hash.combine(UInt64(attempt))
    for byte in recipient.utf8 { hash.combine(UInt64(byte)) }
    return hash.fraction
  }
}

/// A script that is being played: the one matcher that all connections ask.
final class ScriptPlay: Sendable {
  private let matcher: Mutex<ScriptMatcher>

  init(_ script: FaultScript) { matcher = Mutex(ScriptMatcher(script)) }

  func answer(_ push: IncomingPush) -> EmulatorAnswer? {
    matcher.withLock { $0.answer(to: push) }
  }
}

/// A hash that is the same in every process, which Swift's own is not (FNV-1a over words, finished
/// as SplitMix64 is).
struct StableHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ seed: UInt64) { combine(seed) }

  mutating func combine(_ word: UInt64) { state = (state ^ word) &* 0x100_0000_01B3 }

  /// The hash as a number from 0 up to, and without, 1.
  var fraction: Double {
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) * 0x1p-53
  }
}
