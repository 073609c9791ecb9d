import Fuzzing
import Testing

@Suite("A tampered history")
struct TamperedHistoryTests {
  private static let values = [
    "\(Int64.min)", "0", "\(1 << 23)", "\(1 << 40)", "\(1 << 50 + 1)", "\(Int64.max)",
  ]

  @Test(
    "is read or refused, whatever a column holds",
    arguments: zip(SampleHistory.columns, SampleHistory.columns.indices))
  func value(of column: String, index: Int) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == "History" })
    // Two of the numbers each, in one row each: all in all three rows would take six times as long.
    let numbers = [0, 3].map { Self.values[(index + $0) % Self.values.count] }
    for (row, value) in (["-1", "x"] + numbers).enumerated() {
      let damage = "\(column) \(row % 3) \(value)"
      #expect(throws: Never.self, "\(damage)") { try target.check(Array(damage.utf8)) }
    }
  }

  @Test("is read or refused, whichever bytes are damaged", arguments: UInt64(1)...60)
  func bytes(seed: UInt64) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == "History" })
    var state = seed
    // A linear congruential generator (Knuth, MMIX): its upper bits are random enough.
    func next(_ end: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % end
    }
    let lines = (0..<16).map { _ in "@\(next(SampleHistory.size)) \(next(256))" }
    let damage = lines.joined(separator: "\n")
    #expect(throws: Never.self, "\(damage)") { try target.check(Array(damage.utf8)) }
  }
}
