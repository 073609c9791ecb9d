import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLQueue

@Suite("A sender that loses its connection while it fills the queue", .needsPostgreSQL)
struct LostEnqueuingTests {
  private let database: PostgresDatabase
  private let proxy: CommitProxy
  private var path: String { database.address }

  init() throws {
    database = try PostgresDatabase()
    proxy = try CommitProxy(to: PostgresServer.shared.get())
  }

  private func begin(at path: String? = nil) throws -> Enqueuing {
    let queue = try Enqueuing.begin(
      .sample(), credentials: "", at: path ?? proxy.address(of: database.name))
    queue.longestWait = .zero
    return queue
  }

  private func add(_ chunk: PushChunk, to queue: Enqueuing) throws {
    try queue.add(chunk, counts: RecipientCounts(lines: Int(chunk.lastSequence)))
  }

  private func expectAll(_ count: Int, _ queue: Enqueuing) throws {
    #expect(queue.written == count)
    try expectQueued(1...count, in: path)
    #expect(
      try rows(
        "SELECT state, last, lines FROM runs JOIN progress ON run = id WHERE id = \(queue.run)",
        in: path) == ["enqueued|\(count)|\(count)"])
  }

  @Test("finds out what took effect, and goes on", arguments: CommitCut.allCases)
  func commit(cut: CommitCut) throws {
    let queue = try begin()
    var sample = QueueSample()
    try add(try sample.next(), to: queue)
    proxy.cutNext(cut)
    try add(try sample.next(), to: queue)
    #expect(queue.written == 512)
    try add(try sample.next(), to: queue)
    try queue.seal(counts: RecipientCounts(lines: 768))
    try expectAll(768, queue)
  }

  @Test("seals a run once", arguments: CommitCut.allCases)
  func seal(cut: CommitCut) throws {
    let queue = try begin()
    var sample = QueueSample()
    queue.longestWait = .seconds(3600)
    try add(try sample.next(), to: queue)
    proxy.cutNext(cut)
    try queue.seal(counts: RecipientCounts(lines: 256))
    try expectAll(256, queue)
    try queue.seal(counts: RecipientCounts(lines: 256))
    try expectAll(256, queue)
  }

  @Test("seals a run of which everything was written before", arguments: CommitCut.allCases)
  func sealOnly(cut: CommitCut) throws {
    let queue = try begin()
    var sample = QueueSample()
    try queue.add(try sample.next(), counts: RecipientCounts(lines: 256))
    try queue.flush()
    let written = try #require(try WorkQueue(at: path).standing(of: queue.run))
    #expect(written.state == .enqueuing && queue.written == 256)
    proxy.cutNext(cut)
    try queue.seal(counts: RecipientCounts(lines: 256))
    let sealed = try #require(try WorkQueue(at: path).standing(of: queue.run))
    #expect(sealed.state == .enqueued && sealed.free == written.free)
  }

  @Test("seals a run that workers end before the answer is lost")
  func ended() throws {
    let queue = try begin()
    proxy.cutNext(.unanswered)
    try queue.seal(counts: RecipientCounts())
    #expect(try rows("SELECT state FROM runs", in: path) == ["finished"])
  }

  @Test("goes on when the connection broke before the transaction")
  func idle() throws {
    let queue = try begin(at: path)
    var sample = QueueSample()
    try add(try sample.next(), to: queue)
    try database.endConnections()
    try add(try sample.next(), to: queue)
    try queue.seal(counts: RecipientCounts(lines: 512))
    try expectAll(512, queue)
  }

  @Test("goes on when the connection broke among the rows")
  func copy() throws {
    let queue = try begin()
    try database.execute(
      """
      CREATE SEQUENCE public.tries;
      CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('public.tries') = 2 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER die BEFORE INSERT ON fanfare.chunks FOR EACH ROW
        EXECUTE FUNCTION public.die()
      """)
    queue.longestWait = .seconds(3600)
    var sample = QueueSample()
    for list in ["one", "two", "three"] {
      sample.list = list
      try add(try sample.next(), to: queue)
    }
    try queue.seal(counts: RecipientCounts(lines: 768))
    let tries = try rows("SELECT last_value FROM public.tries", in: path)
    #expect(tries == ["14"])
    try expectAll(768, queue)
  }

  @Test("keeps what it could not write for the next call", arguments: CommitCut.allCases)
  func impatient(cut: CommitCut) throws {
    let queue = try begin()
    var sample = QueueSample()
    try add(try sample.next(), to: queue)
    queue.patience = .zero
    proxy.cutNext(cut)
    let error = #expect(throws: HistoryError.self) { try add(try sample.next(), to: queue) }
    if case .connectionLost? = error {} else { Issue.record("another error: \(error as Any)") }
    #expect(queue.written == 256)
    // What has taken effect may be sent by now.
    try database.execute("DELETE FROM fanfare.chunks")
    let left = try rows("SELECT written + 1 FROM queued_runs", in: path).compactMap { Int($0) }
    try add(try sample.next(), to: queue)
    try queue.seal(counts: RecipientCounts(lines: 768))
    #expect(queue.written == 768)
    if cut != .underWay { try expectQueued(left[0]...768, in: path) }
  }

  @Test("leaves its run to another sender that has taken it meanwhile")
  func takenOver() throws {
    let queue = try begin(at: path)
    var sample = QueueSample()
    let first = try sample.next()
    try add(first, to: queue)
    try database.endConnections()
    do {
      let other = try Enqueuing.resume(queue.run, at: path)
      let more = try sample.next()
      #expect(throws: HistoryError.owned(run: queue.run, pid: nil, host: nil)) {
        try add(more, to: queue)
      }
      try add(first, to: other)
      try add(more, to: other)
      try add(try sample.next(), to: other)
      try other.flush()
    }
    #expect(throws: HistoryError.owned(run: queue.run, pid: nil, host: nil)) { try queue.flush() }
    try expectQueued(1...768, in: path)
  }
}
