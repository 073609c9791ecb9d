import TestSupport
import Testing

@testable import Recipients

@Suite("The set of fingerprints")
struct FingerprintSetTests {
  @Test("It agrees with Set, also about zero and about numbers that fall into one slot")
  func agreement() {
    var random = SeededRandom(seed: 3)
    var (set, model) = (FingerprintSet(), Set<UInt64>())
    let special: [UInt64] = [0, 1, 2, 1023, 1 << 58, .max, .max - 1, .max - 2]
    let numbers = special + (0..<20_000).map { _ in random.next() }
    for _ in 0..<40_000 {
      let number = numbers[Int.random(in: numbers.indices, using: &random)]
      #expect(set.contains(number) == model.contains(number))
      #expect(set.insert(number) == model.insert(number).inserted)
      #expect(set.contains(number))
    }
  }
}
