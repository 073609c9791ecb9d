import HTTP2
import Testing

@Suite("Timetable")
struct TimetableTests {
  @Test("hands out what is due, soonest first, and equals in the order they were added")
  func order() {
    var table = Timetable<Int64, Int>()
    let dues = (0..<500).map { Int64($0 * 7919 % 50) }
    for (work, due) in dues.enumerated() { table.add(work, due: due) }
    #expect(table.nextDue == 0)
    var taken: [Int] = []
    for now in Int64(0)..<50 {
      while let work = table.takeDue(by: now) {
        #expect(dues[work] == now)
        taken.append(work)
      }
    }
    #expect(taken == dues.indices.sorted { (dues[$0], $0) < (dues[$1], $1) })
    #expect(table.isEmpty && table.nextDue == nil)
  }

  @Test("keeps what is not due")
  func waits() {
    var table = Timetable<Int64, String>()
    table.add("later", due: 10)
    #expect(table.takeDue(by: 9) == nil && table.count == 1)
    table.add("sooner", due: 5)
    #expect(table.nextDue == 5)
    #expect(table.takeDue(by: 10) == "sooner" && table.takeDue(by: 10) == "later")
  }
}
