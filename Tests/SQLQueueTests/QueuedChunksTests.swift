import PushModel
import SQLHistory
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLQueue

@Suite("Claiming chunks of the queue", .needsPostgreSQL)
struct QueuedChunksTests {
  private func atMostOnce() -> RunRecord { .sample(atMostOnce: true) }

  @Test("gives all pushes once, in parts, each marked before it is given")
  func parts() throws {
    let trial = try QueueTrial([600, 3])
    let session = try trial.begin()
    var source = try trial.source(session)
    var found: [String] = []
    while let part = source.next() {
      let mark = "SELECT max(mark) FROM chunks"
      found.append("\(part.firstSequence) \(part.count) \(try rows(mark, in: trial.path)[0])")
      #expect(part.claim?.isFirst == true && part.isWhole && part.claim?.lease === session.lease)
    }
    #expect(found == ["1 256 256", "257 256 512", "513 88 600", "601 3 603"])
    #expect(source.counts == RecipientCounts(lines: 603) && session.chunks.count == 2)
    #expect(source.extent == ListExtent(read: 603, size: 603))
    #expect(session.failure == nil && !session.isLost)
  }

  @Test("marks few at a time where few are to be in doubt", arguments: [true, false])
  func smallParts(isAtMostOnce: Bool) throws {
    let trial = try QueueTrial([40], .sample(atMostOnce: isAtMostOnce))
    let rate = isAtMostOnce ? nil : PushRate(10, perMilliseconds: 1000)
    var source = try trial.source(trial.begin(), rate: rate)
    #expect(source.next()?.count == 16)
    #expect(source.next()?.count == 16)
    #expect(try rows("SELECT mark FROM chunks", in: trial.path) == ["32"])
    #expect(source.next()?.count == 8)
    #expect(source.next() == nil)
  }

  @Test("guesses its share of what is left")
  func extent() throws {
    let trial = try QueueTrial(Array(repeating: 10, count: 10))
    let session = try trial.begin()
    _ = try trial.begin("two")
    _ = try session.beat()
    var source = try trial.source(session)
    #expect(source.next()?.count == 10)
    // Of ten chunks four are claimed, and half of the others is left to the other worker.
    #expect(source.extent == ListExtent(read: 10, size: 70))
  }

  @Test("gives each push to one of many workers")
  func crowd() throws {
    let trial = try QueueTrial(Array(repeating: 5, count: 200))
    let found = Mutex<[[UInt64]]>([])
    try within {
      onThreads(4) { number in
        do {
          var source = try trial.source(trial.begin("\(number)"))
          let sequences = source.allSequences()
          found.withLock { $0.append(sequences) }
        } catch {
          Issue.record(error)
        }
      }
    }
    let sequences = found.withLock { $0 }
    #expect(sequences.count == 4 && sequences.flatMap(\.self).sorted() == Array(1...1000))
  }

  @Test("passes over what another is about to claim")
  func locked() throws {
    let trial = try QueueTrial([2, 2])
    let other = try PostgresSession(trial.path)
    try other.execute(
      "BEGIN; SELECT FROM fanfare.chunks WHERE id = \(trial.run.row(of: 1)) FOR UPDATE")
    var source = try trial.source(trial.begin())
    #expect(source.allSequences() == [3, 4])
    try other.execute("COMMIT")
    #expect(source.allSequences() == [1, 2])
  }

  @Test("gives a deferred chunk only when it is due")
  func due() throws {
    let trial = try QueueTrial([2])
    var source = try trial.source(trial.begin())
    try trial.database.execute("UPDATE fanfare.chunks SET due = fanfare.server_time() + 55000")
    #expect(source.next() == nil)
    try trial.database.execute("UPDATE fanfare.chunks SET due = fanfare.server_time()")
    #expect(source.next()?.count == 2)
  }

  @Test("waits for what another holds, where it is to, as long as another does")
  func waits() throws {
    let trial = try QueueTrial([2])
    var holder = try trial.source(trial.begin())
    _ = try holder.part()
    let questions = Atomic(0)
    var source = try trial.source(trial.begin("two"), idling: .waits) {
      if questions.add(1, ordering: .relaxed).newValue == 20 {
        try? trial.database.execute("UPDATE fanfare.chunks SET worker = NULL")
      }
      return false
    }
    #expect(source.next()?.count == 2)
    #expect(questions.load(ordering: .relaxed) >= 20)
    #expect(source.next() == nil)
  }

  @Test("waits for a process that reads the lists, and not for one that has died")
  func waitsForLists() throws {
    let trial = try QueueTrial([2], isSealed: false)
    let questions = Atomic(0)
    var source = try trial.source(trial.begin(), idling: .waits) {
      questions.add(1, ordering: .relaxed).newValue > 20
    }
    #expect(source.next()?.count == 2 && source.next() == nil)
    #expect(questions.load(ordering: .relaxed) < 10)
    let queue = try Enqueuing.resume(trial.run, at: trial.path)
    #expect(source.next() == nil)
    #expect(questions.load(ordering: .relaxed) > 20)
    withExtendedLifetime(queue) {}
  }

  @Test("does not wait while another run has something for the worker", arguments: [true, false])
  func waitsUnlessNeeded(isForWorker: Bool) throws {
    let trial = try QueueTrial([2])
    var holder = try trial.source(trial.begin())
    _ = try holder.part()
    let other = try Enqueuing.begin(.sample(), credentials: "key A/B", at: trial.path)
    var sample = QueueSample()
    try other.add(try sample.next(2), counts: RecipientCounts())
    try other.seal(counts: RecipientCounts(lines: 2))
    let questions = Atomic(0)
    let idling = QueuedChunks.Idling.waitsUnlessNeeded(
      elsewhereThan: isForWorker ? [] : [other.run])
    var source = try trial.source(trial.begin("two"), idling: idling) {
      questions.add(1, ordering: .relaxed).newValue > 20
    }
    #expect(source.next() == nil)
    #expect((questions.load(ordering: .relaxed) > 20) != isForWorker)
  }

  @Test("waits for its own run while another is about to claim the rest of it")
  func waitsForItself() throws {
    let trial = try QueueTrial([2, 2])
    var holder = try trial.source(trial.begin())
    _ = try holder.part()
    let row = trial.run.row(of: 3)
    try trial.database.execute("UPDATE fanfare.chunks SET worker = NULL WHERE id = \(row)")
    let other = try PostgresSession(trial.path)
    try other.execute("BEGIN; SELECT FROM fanfare.chunks WHERE id = \(row) FOR UPDATE")
    let questions = Atomic(0)
    var source = try trial.source(
      trial.begin("two"), idling: .waitsUnlessNeeded(elsewhereThan: [])
    ) { questions.add(1, ordering: .relaxed).newValue > 20 }
    #expect(source.next() == nil)
    #expect(questions.load(ordering: .relaxed) > 20)
  }

  @Test("gives nothing of a run that is stopped, until it is taken up again")
  func stopped() throws {
    let trial = try QueueTrial([2])
    let queue = try WorkQueue(at: trial.path)
    var source = try trial.source(trial.begin())
    #expect(try queue.stop(trial.run))
    #expect(source.next() == nil)
    try queue.reopen(trial.run)
    #expect(source.next()?.count == 2)
  }

  @Test("decides by its results about each push of a chunk that another had")
  func steps() throws {
    let trial = try QueueTrial([9])
    try trial.hold(9, mark: 7)
    let session = try trial.begin()
    var source = try trial.source(session)
    let part = try source.part()
    // The first three are left, so that the part begins behind them.
    #expect(part.firstSequence == 4 && part.count == 6)
    #expect(
      (0..<6).map { part.step(at: $0) } == [
        .send, .sendInDoubt, .send, .sendInDoubt, .send, .send,
      ])
    #expect(part.claim?.isFirst == false && part.earlierOutcome(at: 1) == .unknown)
    let entry = try #require(session.chunks[1])
    #expect(entry.missing == 6 && entry.mark == 7)
    #expect(entry.due == dawn + QueueTrial.far + 900_000)
    #expect(source.counts.lines == 6)
  }

  @Test("sends nothing again that may have been sent, in a run at most once")
  func stepsAtMostOnce() throws {
    let trial = try QueueTrial([9], atMostOnce())
    try trial.hold(9, mark: 7)
    var source = try trial.source(trial.begin())
    let part = try source.part()
    #expect(part.firstSequence == 4)
    #expect(
      (0..<6).map { part.step(at: $0) } == [
        .send, .leave, .send, .recordUnknown, .send, .send,
      ])
  }

  @Test("sends nothing that has expired")
  func expired() throws {
    var record = RunRecord.sample()
    record.expiration = dawn / 1000 + 60
    let trial = try QueueTrial([9], record)
    try trial.hold(9, mark: 7)
    var source = try trial.source(trial.begin())
    let part = try source.part()
    #expect(
      (0..<6).map { part.step(at: $0) } == [
        .recordExpired, .leave, .recordExpired, .recordUnknown, .recordExpired, .recordExpired,
      ])
    var fresh = try QueueTrial([1], record).firstPart()
    #expect(fresh?.step(at: 0) == .recordExpired && fresh?.claim?.isFirst == true)
    fresh = try QueueTrial([1]).firstPart()
    #expect(fresh?.step(at: 0) == .send)
  }

  @Test("passes over a chunk of which nothing is left, and leaves it to the ledger")
  func nothingLeft() throws {
    let trial = try QueueTrial([2, 2, 1])
    for (sequence, outcome) in zip(1..., [Int64(0), 1, 3, 2]) {
      try trial.insert(outcome, of: sequence, at: QueueTrial.far)
    }
    try trial.database.execute("UPDATE fanfare.chunks SET mark = id & 1023 WHERE count = 2")
    try trial.database.execute("UPDATE fanfare.chunks SET mark = 4 WHERE mark = 3")
    let session = try trial.begin()
    var source = try trial.source(session)
    #expect(source.allSequences() == [5])
    #expect(session.chunks.complete.keys.sorted() == [1, 3])
    #expect(session.chunks[1]?.due == nil)
    #expect(session.chunks[3]?.due == dawn + QueueTrial.far + 900_000)
  }

  @Test("gives the pushes of a worker that has died to another, those above the mark as new")
  func buried() throws {
    let trial = try QueueTrial([300])
    let (first, second) = (try trial.begin(), try trial.begin("two"))
    var dead = try trial.source(first)
    var heir = try trial.source(second)
    #expect(dead.next()?.count == 256)
    #expect(heir.next() == nil)
    try trial.lapse(first)
    let part = try heir.part()
    #expect(part.count == 256 && (0..<256).allSatisfy { part.step(at: $0) == .sendInDoubt })
    #expect(try trial.chunks() == ["1|\(second.number)|256"])
    // The mark of the dead one does nothing, and nothing is given.
    #expect(dead.next() == nil && first.isLost && first.lease.hasEnded(now: 0))
    #expect(try trial.chunks() == ["1|\(second.number)|256"])
    let rest = try heir.part()
    #expect(rest.firstSequence == 257 && rest.step(at: 0) == .send)
    #expect(try trial.chunks() == ["1|\(second.number)|300"])
  }

  @Test("claims nothing for a session whose lease has run out, buried or not")
  func lapsed() throws {
    let trial = try QueueTrial([2])
    let session = try trial.begin()
    var source = try trial.source(session)
    try trial.lapse(session)
    #expect(source.next() == nil)
    #expect(try trial.chunks() == ["1||0"])
  }

  @Test("waits with its claim for a burial that is under way, and then claims nothing")
  func buriedMeanwhile() throws {
    let trial = try QueueTrial([2])
    let session = try trial.begin()
    var source = try trial.source(session)
    let undertaker = try PostgresSession(trial.path)
    try undertaker.execute(
      """
      BEGIN; UPDATE fanfare.workers SET ended = fanfare.server_time()
        WHERE id = \(session.number)
      """)
    try undertaker.begin("\(QueueTrial.waitUntilBlocked); COMMIT")
    #expect(source.next() == nil)
    #expect(try trial.chunks() == ["1||0"])
  }

  @Test("goes on over a new connection, also with what it has claimed without an answer")
  func reconnects() throws {
    let trial = try QueueTrial([2, 2])
    let session = try trial.begin()
    var source = try trial.source(session)
    try trial.database.endConnections()
    try trial.database.execute("UPDATE fanfare.chunks SET worker = \(session.number)")
    #expect(source.allSequences() == [1, 2, 3, 4])
    #expect(session.failure == nil)
  }

  @Test("gives nothing twice of what it has when it finds what it claimed without an answer")
  func reconnectsLater() throws {
    let trial = try QueueTrial(Array(repeating: 2, count: 5))
    let session = try trial.begin()
    var source = try trial.source(session)
    // Four chunks are claimed at a time, and none of them has a result yet.
    for first in [1, 3, 5, 7] as [UInt64] { #expect(source.next()?.firstSequence == first) }
    try trial.database.endConnections()
    try trial.database.execute("UPDATE fanfare.chunks SET worker = \(session.number)")
    #expect(source.allSequences() == [9, 10])
    #expect(session.chunks.count == 5 && session.failure == nil)
  }

  @Test("marks a part once more when the connection broke")
  func marksAgain() throws {
    let trial = try QueueTrial([300])
    var source = try trial.source(trial.begin())
    #expect(source.next()?.firstSequence == 1)
    try trial.database.endConnections()
    #expect(source.next()?.firstSequence == 257)
    #expect(source.next() == nil && source.counts.lines == 300)
  }

  @Test("gives up when the database is away until its lease ends, or when it is to stop")
  func away() throws {
    let server = try PostgresServer()
    let trial = try QueueTrial([2], on: server)
    let session = try trial.begin()
    let questions = Atomic(0)
    var stopping = try trial.source(session) { questions.add(1, ordering: .relaxed).newValue > 9 }
    var source = try trial.source(session)
    let start = trial.clock.now
    try server.stop("immediate")
    #expect(stopping.next() == nil && trial.clock.now < start + 2_000_000_000)
    #expect(source.next() == nil && session.lease.hasEnded(now: trial.clock.now))
    #expect(!session.isLost && session.failure == nil)
  }

  @Test("ends with a chunk that is damaged")
  func damaged() throws {
    let trial = try QueueTrial([2])
    try trial.database.execute("UPDATE fanfare.chunks SET pushes = '\\x0102'")
    let session = try trial.begin()
    var source = try trial.source(session)
    #expect(source.next() == nil)
    #expect(session.failure == .corrupt(path: trial.database.shownAddress))
  }

  @Test("ends with a chunk that goes on beyond the last number of a run")
  func beyondTheEnd() throws {
    let trial = try QueueTrial([2])
    try trial.database.execute(
      "UPDATE fanfare.chunks SET mark = 1, id = id | ((1::bigint << 40) - 1)")
    let session = try trial.begin()
    var source = try trial.source(session)
    #expect(source.next() == nil)
    #expect(session.failure == .corrupt(path: trial.database.shownAddress))
  }
}

extension QueueTrial {
  /// So late that nothing from then is due.
  static let far: Int64 = 1 << 45

  /// Makes the only chunk one that another worker had. The pushes up to the sixth have these results:
  /// accepted, rejected, deferred and not due, deferred and due, unknown, not attempted.
  func hold(_ count: Int, mark: Int) throws {
    for (sequence, outcome) in zip(1..., [Int64(0), 1, 3, 3, 4, 5]) {
      try insert(outcome, of: sequence, at: sequence == 3 ? Self.far : 1000)
    }
    try database.execute("UPDATE fanfare.chunks SET mark = \(mark)")
  }

  fileprivate func firstPart() throws -> PushChunk? {
    var source = try source(begin())
    return source.next()
  }
}
