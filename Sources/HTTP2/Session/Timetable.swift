/// A waiting thread's future work, soonest first; items due at the same time stay in the order
/// added. It has no clock: times are passed in, in any unit.
public struct Timetable<Time: Comparable, Work> {
  private struct Row {
    let due: Time
    let order: Int
    let work: Work

    func precedes(_ other: Row) -> Bool { (due, order) < (other.due, other.order) }
  }

  /// A binary heap: row `n` precedes rows `2n + 1` and `2n + 2`.
  private var rows: [Row] = []
  private var added = 0

  /// Creates an empty timetable.
  public init() {}

  /// True if there is no work.
  public var isEmpty: Bool { rows.isEmpty }

  /// The number of work items.
  public var count: Int { rows.count }

  /// The time at which work is due next; nil if there is none.
  public var nextDue: Time? { rows.first?.due }

  /// Adds a work item.
  public mutating func add(_ work: Work, due: Time) {
    rows.append(Row(due: due, order: added, work: work))
    added += 1
    var place = rows.count - 1
    while place > 0, rows[place].precedes(rows[(place - 1) / 2]) {
      rows.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the first item due by `now`; nil if there is none.
  public mutating func takeDue(by now: Time) -> Work? {
    guard let first = rows.first, first.due <= now else { return nil }
    rows.swapAt(0, rows.count - 1)
    rows.removeLast()
    sink()
    return first.work
  }

  private mutating func sink() {
    var place = 0
    while let child = firstChild(of: place), rows[child].precedes(rows[place]) {
      rows.swapAt(place, child)
      place = child
    }
  }

  private func firstChild(of place: Int) -> Int? {
    let (left, right) = (2 * place + 1, 2 * place + 2)
    guard left < rows.count else { return nil }
    return right < rows.count && rows[right].precedes(rows[left]) ? right : left
  }
}
