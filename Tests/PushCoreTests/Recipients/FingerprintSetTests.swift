import Testing

@testable import PushCore

@Suite("The set of fingerprints")
struct FingerprintSetTests {
  @Test("It agrees with Set, also about zero and about numbers that fall into one slot")
  func agreement() {
    var random = SeededRandom(seed: 3)
    var (set, model) = (FingerprintSet(), Set<UInt64>())
    let special: [UInt64] = [0, 1, 1023, 1024, 2048, 4096, .max]
    for round in 0..<60_000 {
      let number = round % 5 == 0 ? special[round % 7] : random.next() % 40_000 << (round % 40)
      #expect(set.insert(number) == model.insert(number).inserted)
    }
  }
}
