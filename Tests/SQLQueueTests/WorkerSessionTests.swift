import PushModel
import SQLHistory
import SendingSupport
import TestSupport
import Testing

@testable import SQLQueue

@Suite("A worker's session on a run of the queue", .needsPostgreSQL)
struct WorkerSessionTests {
  private let trial: QueueTrial

  init() throws { trial = try QueueTrial([3, 3]) }

  private func lease(_ session: WorkerSession) throws -> Int {
    let left = "SELECT lease - server_time() FROM workers WHERE id = \(session.number)"
    return try #require(Int(rows(left, in: trial.path).first ?? ""))
  }

  @Test("may send until an attempt could outlast its lease")
  func begun() throws {
    let session = try trial.begin("ci-7")
    #expect(
      try rows("SELECT run, name, version, ended, was_lost FROM workers", in: trial.path)
        == ["\(trial.run)|ci-7|1.0||0"])
    #expect(try 80_000...90_000 ~= lease(session))
    let start = trial.clock.now
    #expect(!session.lease.hasEnded(now: start + 59_999_999_999))
    #expect(session.lease.hasEnded(now: start + 60_000_000_000))
  }

  @Test("has a lease that is longer than an attempt")
  func patient() throws {
    let session = try WorkerSession.begin(
      trial.run, name: "one", version: "1.0", leaseMilliseconds: 1000,
      timeoutMilliseconds: 100_000, at: trial.path, clock: trial.clock.workerClock)
    #expect(try 290_000...300_000 ~= lease(session))
    #expect(!session.lease.hasEnded(now: trial.clock.now + 59_999_999_999))
  }

  @Test("is had only of a run in a queue")
  func elsewhere() throws {
    let other = try #require(RunNumber(rawValue: 99))
    for (run, path, error) in [
      (other, trial.path, HistoryError.noSuchRun(other)),
      (trial.run, "/tmp/history.db", .noQueue(path: "/tmp/history.db")),
    ] {
      #expect(throws: error) {
        try WorkerSession.begin(
          run, name: "", version: "", timeoutMilliseconds: 0, at: path,
          clock: trial.clock.workerClock)
      }
    }
  }

  @Test("learns of the others that are alive, and of a stop")
  func beats() throws {
    let first = try trial.begin()
    let second = try trial.begin("two")
    let third = try trial.begin("three")
    #expect(try first.beat([1]) == Beat(liveWorkers: 3, answers: [[1]]))
    #expect(try second.beat([2, 0]) == Beat(liveWorkers: 3, answers: [[1], [2, 0]]))
    try third.end()
    #expect(second.liveWorkers == 3)
    #expect(
      try second.beat([]) == Beat(liveWorkers: 2, answers: [[1], []], isLastToJoin: true))
    #expect(second.liveWorkers == 2)
    #expect(try first.stopRun(cause: "breaker"))
    #expect(try !second.stopRun(cause: "later"))
    #expect(
      try second.beat([])
        == Beat(
          isStopped: true, stopCause: "breaker", liveWorkers: 2, answers: [[1], []],
          isLastToJoin: true))
  }

  @Test("tells the others that send from those that wait for something to send")
  func senders() throws {
    let (first, second, third) = (try trial.begin(), try trial.begin("two"), try trial.begin("3"))
    for (chunk, session) in zip([1, 4], [first, third]) {
      try trial.database.execute(
        "UPDATE fanfare.chunks SET worker = \(session.number) WHERE id & 15 = \(chunk)")
    }
    #expect(try first.beat() == Beat(liveWorkers: 3, otherSenders: 1))
    #expect(try second.beat() == Beat(liveWorkers: 3, otherSenders: 2))
    try third.end()
    #expect(
      try second.beat() == Beat(liveWorkers: 2, otherSenders: 1, isLastToJoin: true))
  }

  @Test("learns which other runs wait, and how many workers they have")
  func waiting() throws {
    let session = try trial.begin()
    let other = try Enqueuing.begin(
      .sample(), credentials: "key A/B", isUrgent: true, at: trial.path)
    #expect(try session.beat().waiting == [])
    var recipients = QueueSample()
    try other.add(recipients.next(2), counts: RecipientCounts(lines: 2))
    try other.seal(counts: RecipientCounts(lines: 2))
    let waiting = { WaitingRun(run: other.run, isUrgent: true, workers: $0) }
    #expect(try session.beat().waiting == [waiting(0)])
    let helper = try WorkerSession.begin(
      other.run, name: "", version: "", timeoutMilliseconds: 0, at: trial.path,
      clock: trial.clock.workerClock)
    #expect(try session.beat().waiting == [waiting(1)])
    let beat = try helper.beat()
    #expect(beat.isUrgent && beat.waiting.map(\.run) == [trial.run])
    _ = try WorkQueue(at: trial.path).stop(trial.run)
    #expect(try helper.beat().waiting == [])
  }

  @Test("renews its lease every 20 seconds")
  func renewal() throws {
    let session = try trial.begin()
    try trial.database.execute("UPDATE fanfare.workers SET lease = fanfare.server_time() + 9000")
    trial.clock.advance(milliseconds: 19_999)
    _ = try session.beat()
    #expect(try lease(session) <= 9000)
    trial.clock.advance(milliseconds: 1)
    _ = try session.beat()
    #expect(try lease(session) > 80_000)
    #expect(!session.lease.hasEnded(now: trial.clock.now + 59_999_999_999))
    #expect(session.lease.hasEnded(now: trial.clock.now + 60_000_000_000))
  }

  @Test("is lost once its lease has run out, and cannot come back")
  func lapsed() throws {
    let session = try trial.begin()
    try trial.lapse(session)
    trial.clock.advance(milliseconds: 20_000)
    #expect(try session.beat().isLost)
    #expect(session.isLost && session.lease.hasEnded(now: 0))
    try trial.database.execute("UPDATE fanfare.workers SET lease = fanfare.server_time() + 90000")
    _ = try session.beat()
    #expect(session.isLost && session.lease.hasEnded(now: 0))
  }

  @Test("is lost as soon as it was buried, not only when it renews its lease")
  func buried() throws {
    let session = try trial.begin()
    var source = try trial.source(session)
    #expect(source.next()?.count == 3)
    try trial.lapse(session)
    try Database.open(trial.path).buryLostWorkers(of: trial.run)
    #expect(try trial.chunks() == ["1||3", "4||0"])
    #expect(try rows("SELECT was_lost FROM workers WHERE ended > 0", in: trial.path) == ["1"])
    #expect(try session.beat().isLost && session.isLost)
  }

  @Test("that renews while it is buried, is lost")
  func renewsTooLate() throws {
    let session = try trial.begin()
    let undertaker = try PostgresSession(trial.path)
    let number = session.number
    try undertaker.execute(
      "BEGIN; UPDATE fanfare.workers SET ended = fanfare.server_time() WHERE id = \(number)")
    try undertaker.begin("\(QueueTrial.waitUntilBlocked); COMMIT")
    trial.clock.advance(milliseconds: 20_000)
    #expect(try session.beat().isLost)
    #expect(session.isLost)
  }

  @Test("is not buried while it renews")
  func buriedTooLate() throws {
    let session = try trial.begin()
    try trial.lapse(session)
    let renewal = try PostgresSession(trial.path)
    try renewal.execute(
      """
      BEGIN; UPDATE fanfare.workers SET lease = fanfare.server_time() + 90000
        WHERE id = \(session.number)
      """)
    let database = try Database.open(trial.path)
    #expect(try database.buryLostWorkers(of: trial.run) == 0)
    try renewal.execute("COMMIT")
    #expect(try database.buryLostWorkers(of: trial.run) == 0)
    #expect(try !session.beat().isLost)
  }

  @Test("buries no worker of another run")
  func otherRun() throws {
    let session = try trial.begin()
    try trial.lapse(session)
    let other = try #require(RunNumber(rawValue: trial.run.rawValue + 1))
    #expect(try Database.open(trial.path).buryLostWorkers(of: other) == 0)
    #expect(try Database.open(trial.path).buryLostWorkers(of: trial.run) == 1)
    #expect(try Database.open(trial.path).buryLostWorkers(of: trial.run) == 0)
  }

  @Test("frees its chunks when it ends, and is not called lost")
  func ended() throws {
    let session = try trial.begin()
    var source = try trial.source(session)
    #expect(source.next()?.count == 3)
    #expect(try trial.chunks() == ["1|\(session.number)|3", "4|\(session.number)|0"])
    try session.end()
    #expect(try trial.chunks() == ["1||3", "4||0"])
    #expect(session.lease.hasEnded(now: 0))
    #expect(try rows("SELECT was_lost FROM workers WHERE ended > 0", in: trial.path) == ["0"])
    #expect(source.next() == nil)
  }

  @Test("outlives its connection")
  func reconnects() throws {
    let session = try trial.begin()
    try trial.database.endConnections()
    let error = #expect(throws: HistoryError.self) { try session.beat([7]) }
    if case .connectionLost? = error {} else { Issue.record("another error: \(error as Any)") }
    #expect(
      try session.beat([7]) == Beat(liveWorkers: 1, answers: [[7]], isLastToJoin: true))
  }
}
