import PushModel
import SQLHistory
import SendingSupport
import TestSupport
import Testing

@testable import SQLQueue

@Suite("The runs in the queue", .needsPostgreSQL)
struct WorkQueueTests {
  private let trial: QueueTrial
  private let queue: WorkQueue

  init() throws {
    trial = try QueueTrial([2, 2, 2])
    queue = try WorkQueue(at: trial.path)
  }

  private func candidates() throws -> [RunNumber] { try queue.candidates().map(\.run) }

  @Test("tells those that have something to do, the oldest first")
  func oldest() throws {
    let second = try Enqueuing.begin(.sample(), credentials: "certificate x", at: trial.path)
    #expect(try candidates() == [trial.run])
    try trial.database.execute(
      """
      INSERT INTO fanfare.chunks (id, count, pushes)
        VALUES (\(second.run.row(of: 1)), 1, '')
      """)
    let found = try queue.candidates()
    #expect(found.map(\.run) == [trial.run, second.run])
    #expect(found.map(\.credentials) == ["key A/B", "certificate x"])
    #expect(found.allSatisfy { $0.record == .sample() })
  }

  @Test("passes over runs that are stopped, until they are taken up again")
  func stopped() throws {
    #expect(try queue.stop(trial.run, cause: "breaker"))
    #expect(try !queue.stop(trial.run))
    #expect(try candidates().isEmpty)
    let standing = try #require(try queue.standing(of: trial.run))
    #expect(standing.isStopped && standing.stopCause == "breaker")
    try queue.reopen(trial.run)
    #expect(try candidates() == [trial.run])
    #expect(try queue.standing(of: trial.run)?.isStopped == false)
  }

  @Test("stops no run that is finished, or not in the queue")
  func ended() throws {
    try trial.database.execute("UPDATE fanfare.runs SET state = 'finished'")
    #expect(try !queue.stop(trial.run) && candidates().isEmpty)
    #expect(try queue.standing(of: trial.run)?.state == .finished)
    let other = try #require(RunNumber(rawValue: 99))
    #expect(try !queue.stop(other) && queue.standing(of: other) == nil)
  }

  @Test("tells who has the chunks, and when the others are due")
  func standing() throws {
    var expected = QueueProgress(state: .enqueued, credentials: "key A/B")
    expected.free = 3
    #expect(try queue.standing(of: trial.run) == expected)
    let (session, row) = (try trial.begin(), trial.run.row(of: 3))
    try trial.database.execute(
      "UPDATE fanfare.chunks SET worker = \(session.number) WHERE id < \(row)")
    try trial.database.execute(
      "UPDATE fanfare.chunks SET due = 2000000000000 + id WHERE id >= \(row)")
    (expected.free, expected.held, expected.deferred) = (0, 1, 2)
    expected.nextDue = 2_000_000_000_000 + row
    #expect(try queue.standing(of: trial.run) == expected)
    #expect(try candidates().isEmpty)
    try trial.lapse(session)
    (expected.free, expected.held) = (1, 0)
    #expect(try queue.standing(of: trial.run) == expected)
    #expect(try candidates() == [trial.run])
  }

  @Test("tells whether somebody still puts recipients into the queue")
  func sender() throws {
    var sender: Enqueuing? = try Enqueuing.begin(.sample(), credentials: "", at: trial.path)
    let run = try #require(sender?.run)
    #expect(try queue.standing(of: run)?.isSenderAlive == true)
    #expect(try queue.standing(of: run)?.state == .enqueuing)
    sender = nil
    #expect(try queue.standing(of: run)?.isSenderAlive == false)
    #expect(sender == nil)
  }

  @Test("goes on over a new connection")
  func reconnects() throws {
    try trial.database.endConnections()
    let error = #expect(throws: HistoryError.self) { try queue.candidates() }
    if case .connectionLost? = error {} else { Issue.record("another error: \(error as Any)") }
    #expect(try candidates() == [trial.run])
  }

  @Test("are in PostgreSQL only")
  func file() throws {
    #expect(throws: HistoryError.noQueue(path: "/tmp/history.db")) {
      _ = try WorkQueue(at: "/tmp/history.db")
    }
  }
}
