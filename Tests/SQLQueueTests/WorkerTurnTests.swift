import PushModel
import Testing

@testable import SQLQueue

@Suite("A worker's turn on a run")
struct WorkerTurnTests {
  /// A worker's sight of the runs, and whether it leaves its own.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var workers = 1
    var isLast = true
    var isUrgent = false
    /// The workers on each of the other runs.
    var others: [Int] = []
    /// The same for urgent runs.
    var urgent: [Int] = []
    let leaves: Bool
    let leavesAtTheEnd: Bool
  }

  static let rows = [
    Row(testDescription: "nothing waits", leaves: false, leavesAtTheEnd: false),
    Row(
      testDescription: "nobody is on another run", others: [0], leaves: false, leavesAtTheEnd: true),
    Row(
      testDescription: "somebody is on each other run", others: [1, 2], leaves: false,
      leavesAtTheEnd: false),
    Row(
      testDescription: "one of two leaves for a run without a worker", workers: 2, others: [1, 0],
      leaves: true, leavesAtTheEnd: true),
    Row(
      testDescription: "not both leave", workers: 2, isLast: false, others: [0], leaves: false,
      leavesAtTheEnd: false),
    Row(
      testDescription: "shared evenly", workers: 2, others: [1], leaves: false,
      leavesAtTheEnd: false),
    Row(
      testDescription: "shared unevenly", workers: 3, others: [1], leaves: true,
      leavesAtTheEnd: true),
    Row(testDescription: "an urgent run waits", urgent: [3], leaves: true, leavesAtTheEnd: true),
    Row(
      testDescription: "an urgent run takes all workers", workers: 2, isLast: false, urgent: [1],
      leaves: true, leavesAtTheEnd: true),
    Row(
      testDescription: "an urgent run is kept", workers: 3, isUrgent: true, others: [0],
      leaves: false, leavesAtTheEnd: false),
    Row(
      testDescription: "urgent runs share", isUrgent: true, others: [0], urgent: [0], leaves: false,
      leavesAtTheEnd: true),
  ]

  private static func run(_ number: Int) throws -> RunNumber {
    try #require(RunNumber(rawValue: Int64(number)))
  }

  private func beat(_ row: Row) throws -> Beat {
    var beat = Beat(liveWorkers: row.workers)
    (beat.isUrgent, beat.isLastToJoin) = (row.isUrgent, row.isLast)
    beat.waiting = try row.others.enumerated().map {
      WaitingRun(run: try Self.run(10 + $0), isUrgent: false, workers: $1)
    }
    beat.waiting += try row.urgent.enumerated().map {
      WaitingRun(run: try Self.run(20 + $0), isUrgent: true, workers: $1)
    }
    return beat
  }

  @Test("ends for another run", arguments: rows)
  func ends(row: Row) throws {
    let (turn, beat) = (WorkerTurn(from: 5, ignoring: []), try beat(row))
    let end = 5 + WorkerTurn.length
    #expect(turn.isOver(beat, now: end - 1) == row.leaves)
    #expect(turn.isOver(beat, now: end) == row.leavesAtTheEnd)
  }

  @Test("ends for no run that the worker cannot send")
  func ignored() throws {
    let runs = try [10, 11].map(Self.run)
    let row = Row(testDescription: "", others: [0, 0], leaves: false, leavesAtTheEnd: false)
    let beat = try beat(row)
    let some = WorkerTurn(from: 0, ignoring: [runs[0]])
    #expect(some.isOver(beat, now: WorkerTurn.length))
    let all = WorkerTurn(from: 0, ignoring: Set(runs))
    #expect(!all.isOver(beat, now: WorkerTurn.length))
  }
}
