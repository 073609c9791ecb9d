import PushModel
import TestSupport
import Testing

@Suite("The histogram of latencies")
struct LatencyHistogramTests {
  @Test("Percentiles are at most 1/32 above the exact ones", arguments: 1...8)
  func percentiles(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let values = (0..<5000).map { _ in
      Int.random(in: 0...(1 << Int.random(in: 0...34, using: &random)), using: &random)
    }
    var histogram = LatencyHistogram()
    for value in values { histogram.add(microseconds: value) }
    let sorted = values.sorted()
    for share in [0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1] {
      let exact = sorted[Int((share * 5000).rounded(.up)) - 1]
      let found = try #require(histogram.percentile(share)) * 1000
      #expect(found >= Double(exact) && found <= Double(exact) * (1 + 1.0 / 32) + 0.001)
    }
  }

  @Test("Nothing counted has no percentile, and odd values do no harm")
  func edges() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil)
    for value in [-1, 0, Int.max] { histogram.add(microseconds: value) }
    #expect(histogram.total == 3)
    #expect(histogram.percentile(0) == 0)
    #expect(histogram.percentile(0.5) == 0)
    #expect(histogram.percentile(1) ?? 0 > 1_000_000)
  }
}
