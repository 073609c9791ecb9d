import Testing

@testable import Fanfare

@Suite("Queues")
struct QueueTests {
  @Test("Elements leave in the order they came, also when some are removed between")
  func order() {
    var queue = Queue<Int>()
    var taken: [Int] = []
    for number in 0..<1000 {
      queue.append(number)
      if number.isMultiple(of: 3), let first = queue.popFirst() { taken.append(first) }
    }
    queue.removeAll { $0.isMultiple(of: 7) }
    #expect(queue.first == 334)
    while let first = queue.popFirst() { taken.append(first) }
    #expect(queue.isEmpty)
    #expect(taken == (0..<1000).filter { $0 < 334 || !$0.isMultiple(of: 7) })
  }

  @Test("Only the newest elements are offered to a change, the newest first")
  func changes() {
    var queue = Queue<Int>()
    for number in 0..<5 { queue.append(number) }
    _ = queue.popFirst()
    var seen: [Int] = []
    let isChanged = queue.change(ofLast: 3) { number in
      seen.append(number)
      number += 10
      return number == 12
    }
    #expect(isChanged)
    #expect(seen == [4, 3, 2])
    #expect(queue.takeAll() == [1, 12, 13, 14])
    #expect(queue.isEmpty && !queue.change(ofLast: 3) { _ in true })
  }
}
