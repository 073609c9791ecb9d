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
