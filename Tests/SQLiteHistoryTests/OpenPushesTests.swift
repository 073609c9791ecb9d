import PushModel
import Testing

@testable import SQLiteHistory

@Suite("The pushes of a run that may still get a result")
struct OpenPushesTests {
  private static let last = RunNumber.lastSequence

  static let cases: [(closed: [[UInt64]], open: [ClosedRange<UInt64>])] = [
    ([], [1...last]),
    ([[]], [1...last]),
    ([[1]], [2...last]),
    ([[2]], [1...1, 3...last]),
    ([[3, 4, 5]], [1...2, 6...last]),
    ([[1, 2, 4]], [3...3, 5...last]),
    ([[4], [2], [3]], [1...1, 5...last]),
    ([[2, 5], [5, 6], [1]], [3...4, 7...last]),
    ([[2, 4, 6], [1, 3, 5, 7]], [8...last]),
    ([[last]], [1...last - 1]),
    ([[1, last], [1, 2, last]], [3...last - 1]),
  ]

  @Test("are all but those that got one, in whatever order", arguments: cases)
  func ranges(_ row: (closed: [[UInt64]], open: [ClosedRange<UInt64>])) {
    var open = OpenPushes.all
    for sequences in row.closed { open.close(sequences) }
    #expect(open.ranges == row.open)
  }

  @Test("are what a plain set says, for results that come at random")
  func random() {
    var generator = SystemRandomNumberGenerator()
    var (open, model) = (OpenPushes.all, Set<UInt64>(1...300))
    while !model.isEmpty {
      let page = (0..<20).map { _ in UInt64.random(in: 1...300, using: &generator) }
      open.close(Set(page).sorted())
      model.subtract(page)
      let left = open.ranges.dropLast().flatMap(Array.init) + (open.ranges.last.map(head) ?? [])
      #expect(left == model.sorted())
    }
    #expect(open.ranges == [301...Self.last])
  }

  /// What a range that has no end holds of the 300.
  private func head(_ range: ClosedRange<UInt64>) -> [UInt64] {
    range.lowerBound > 300 ? [] : Array(range.lowerBound...300)
  }

  @Test("of a run without any stay none")
  func none() {
    var open = OpenPushes.none
    open.close([1, 2])
    #expect(open.ranges.isEmpty)
  }
}
