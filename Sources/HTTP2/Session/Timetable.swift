/// What a thread that waits is to do later, soonest first; of what is due at the same time, in the
/// order it was added. It has no clock: times are passed in, in whatever unit.
public struct Timetable<Time: Comparable, Work> {
  private struct Row {
    let due: Time
    let order: Int
    let work: Work

    func precedes(_ other: Row) -> Bool { (due, order) < (other.due, other.order) }
  }

  /// A binary heap: each row precedes the two at twice its place and the place behind that.
  private var rows: [Row] = []
  private var added = 0

  /// With nothing to do.
  public init() {}

  /// Whether there is nothing to do.
  public var isEmpty: Bool { rows.isEmpty }

  /// How much there is to do.
  public var count: Int { rows.count }

  /// When something has to be done; nil when nothing has.
  public var nextDue: Time? { rows.first?.due }

  /// Adds something.
  public mutating func add(_ work: Work, due: Time) {
    rows.append(Row(due: due, order: added, work: work))
    added += 1
    var place = rows.count - 1
    while place > 0, rows[place].precedes(rows[(place - 1) / 2]) {
      rows.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes the first thing that is due by a time; nil when nothing is.
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
