internal import Synchronization

/// Decides on pushes by a script's rules. A value: the same pushes in the same order get the same
/// decisions.
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

  /// The response to a push; nil if no rule matches.
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

  /// A number from 0 to 1 that is always the same for the same push. Each rule has its own, or a
  /// later rule could never hit what an earlier one missed.
  private func chance(rule: Int, _ recipient: String, attempt: Int) -> Double {
    var hash = StableHash(seed)
    hash.mix(UInt64(rule))
    hash.mix(UInt64(attempt))
    for byte in recipient.utf8 { hash.mix(UInt64(byte)) }
    return hash.fraction
  }
}

/// A script being played: the one matcher shared by all connections.
final class SharedScriptMatcher: Sendable {
  private let matcher: Mutex<ScriptMatcher>

  init(_ script: FaultScript) { matcher = Mutex(ScriptMatcher(script)) }

  func answer(_ push: IncomingPush) -> EmulatorAnswer? {
    matcher.withLock { $0.answer(to: push) }
  }
}

/// A hash that is the same in every process, unlike Swift's (FNV-1a over words, finalized as in
/// SplitMix64).
struct StableHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ seed: UInt64) { mix(seed) }

  mutating func mix(_ word: UInt64) { state = (state ^ word) &* 0x100_0000_01B3 }

  /// The hash as a number from 0 up to but not including 1.
  var fraction: Double {
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) * 0x1p-53
  }
}
