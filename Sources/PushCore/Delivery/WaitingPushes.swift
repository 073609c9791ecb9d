/// Pushes that may be sent again at a given time: a binary heap, the earliest first.
struct WaitingPushes {
  private var heap: [(due: UInt64, push: PendingPush)] = []

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }

  /// When the first push is due; nil when there is none.
  var nextDue: UInt64? { heap.first?.due }

  mutating func add(_ push: PendingPush, _ due: UInt64) {
    heap.append((due, push))
    var child = heap.count - 1
    while child > 0, case let parent = (child - 1) / 2, heap[child].due < heap[parent].due {
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the first push if it is due.
  mutating func take(dueAt now: UInt64) -> PendingPush? {
    guard let first = heap.first, first.due <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink()
    return first.push
  }

  private mutating func sink() {
    var parent = 0
    while case let children = heap.indices.clamped(to: (parent * 2 + 1)..<(parent * 2 + 3)),
      let child = children.min(by: { heap[$0].due < heap[$1].due }),
      heap[child].due < heap[parent].due
    {
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
