import APNS
import Foundation
import PushEmulator
import PushModel
import SendingSupport
import TestSupport
import Testing

/// A run in the queue that workers send, of whom some are killed, taken for dead or cut off from the
/// database. In the end the history is joined with the emulator's journal.
final class FleetDay {
  /// What a worker that is lost can make arrive twice: what a kill of one that sends alone can, and the
  /// parts that it has marked and still has in its queue.
  private static let exposureOfLoss = ProgramBench.exposureOfKill + 10 * PushChunk.capacity
  /// How many recipients come from the pipe at which the reading of the lists is killed.
  private static let piped = 50

  private let fanfare: Fanfare
  private let plan: FleetPlan
  private let recipients: Int
  private let postgres: PostgresServer
  private let database: PostgresDatabase
  private let proxy: CommitProxy
  private let witness = Witness()
  private let executioner = Executioner()
  private let requests = RequestGate()
  private let server: Server
  private var workers: [Program] = []

  init(seed: UInt64, _ count: Int, _ fanfare: Fanfare) throws {
    plan = FleetPlan(seed: seed, pushes: count)
    self.fanfare = fanfare
    recipients = count + (plan.killsSender ? Self.piped : 0)
    postgres = try plan.crashes > 0 ? PostgresServer() : PostgresServer.shared.get()
    database = try PostgresDatabase(on: postgres)
    proxy = try CommitProxy(to: postgres)
    var configuration = Self.configuration(plan, witness, executioner, requests)
    configuration.maxConcurrentStreams = 100
    server = try Server(fanfare, configuration)
    try writeLists(count)
  }

  private static func configuration(
    _ plan: FleetPlan, _ witness: Witness, _ executioner: Executioner, _ requests: RequestGate
  ) -> EmulatorConfiguration {
    let (deferred, delay) = (plan.deferred, plan.delay)
    return witness.configuration { push in
      let isBad = requests.note() && push.token.number % 100 < deferred
      executioner.noteRequest()
      if isBad { return .reject(.serviceUnavailable) }
      return delay == 0 ? nil : .delay(milliseconds: delay, then: .accept)
    }
  }

  func suffer() throws {
    try enqueue()
    try startWorkers()
    for (request, event) in plan.events {
      try #require(requests.wait(for: request), "request \(request) has not come: \(plan.events)")
      try suffer(event)
    }
    for worker in workers { expectEnded(try worker.finish()) }
    try finish()
  }

  private func suffer(_ event: FleetPlan.Event) throws {
    switch event {
    case .kill:
      let result = try workers.removeFirst().finish()
      #expect(result.exitCode == nil && executioner.hasStruck, "\(plan): \(result.errors)")
      try endLease("ended IS NULL AND name = 'worker 0'")
    case .declaredDead:
      try endLease(
        """
        id = (SELECT max(workers.id) FROM fanfare.workers JOIN fanfare.chunks ON worker = workers.id
          WHERE ended IS NULL AND lease > fanfare.server_time())
        """)
    case .crash:
      try postgres.stop("immediate")
      try postgres.start()
    case .cut(let cut, let word): proxy.cutNext(cut, at: word)
    }
  }

  /// Nobody waits for the end of a lease: it is over at once.
  private func endLease(_ condition: String) throws {
    try database.execute(
      "UPDATE fanfare.workers SET lease = fanfare.server_time() - 1 WHERE \(condition)")
  }

  /// Works, on a good day, until nothing is left.
  private func finish() throws {
    requests.endBadDay()
    for _ in 0..<8 {
      if try state == "finished" { return }
      try makeDue()
      expectEnded(try work("the last", at: database.address).finish())
    }
    Issue.record("something is left for ever: \(plan)")
  }

  /// What is deferred was deferred so long ago that it is due.
  private func makeDue() throws {
    try database.execute(
      """
      UPDATE fanfare.chunks SET due = NULL WHERE due IS NOT NULL;
      UPDATE fanfare.results SET at = at - (900000 << CAST(greatest(deferrals, 1) - 1 AS INTEGER))
        WHERE outcome = 3 AND at >= 0
      """)
  }

  private var state: String? {
    get throws { try database.rows("SELECT state FROM fanfare.runs")[0][0] }
  }
}

// The programs.
extension FleetDay {
  private var history: [String] { ["--history", database.address] }

  private func listName(_ number: Int) -> String { "list-\(number).txt" }

  private func writeLists(_ count: Int) throws {
    for (number, first) in stride(from: 1, through: count, by: plan.listLength).enumerated() {
      let numbers = first..<min(first + plan.listLength, count + 1)
      try fanfare.folder.write(
        listName(number), numbers.map { tokenText($0) + "\n" }.joined())
    }
  }

  private func enqueue() throws {
    let count = recipients - (plan.killsSender ? Self.piped : 0)
    var lists = (0..<(count + plan.listLength - 1) / plan.listLength).map(listName)
    if !plan.killsSender {
      let result = try fanfare.run(enqueuing(lists))
      #expect(result.exitCode == 0, "\(result.errors)")
      return
    }
    let pipe = try SilentPipe(deviceTokens(count + 1..<recipients + 1))
    let half = lists.count / 2
    lists.insert(pipe.path, at: half)
    let program = try fanfare.start(enqueuing(lists))
    try database.waitForQueued(half * plan.listLength + Self.piped)
    program.send(SIGKILL)
    #expect(try program.finish().exitCode == nil)
    try database.waitUntilUnused()
    // What else might have come from the pipe nobody knows.
    let result = try fanfare.run(["resume", "1"] + history)
    #expect(result.exitCode == 4, "\(result.errors)")
  }

  private func enqueuing(_ lists: [String]) -> [String] {
    ["send", "--enqueue", "--bundle-id", "com.example.app", "--title", "Hi", "--no-breaker"]
      + ["--server", server.emulator.url] + credentials + history
      + lists.flatMap { ["--tokens", $0] } + (plan.isAtMostOnce ? ["--at-most-once"] : [])
      + (plan.rate.map { ["--rate", $0] } ?? [])
  }

  /// The first one may be killed, and the last one's connections be cut. Nothing is answered before each
  /// of them has a share of the run.
  private func startWorkers() throws {
    defer { requests.open() }
    workers = [
      try executioner.start(SIGKILL, atRequest: plan.killRequest) {
        try work("worker 0", at: database.address)
      }
    ]
    for number in 1..<plan.workers {
      let isCut = plan.cuts > 0 && number == plan.workers - 1
      workers.append(
        try work(
          "worker \(number)", at: isCut ? proxy.address(of: database.name) : database.address))
    }
    try database.wait(
      until: "(SELECT count(DISTINCT name) FROM fanfare.workers) >= \(plan.workers)")
  }

  /// The lease is so long that none ends because the machine has too much to do.
  private func work(_ name: String, at history: String) throws -> Program {
    try fanfare.start(
      ["work", "--name", name, "--lease", "30s", "--timeout", "10s", "--connections", "1"]
        + ["--quiet", "--history", history] + server.place + credentials)
  }

  private func expectEnded(_ result: Program.Result) {
    expectHarmless(result.errors)
    #expect([0, 4].contains(result.exitCode), "\(plan): \(result.errors)")
  }
}

// What must be so.
extension FleetDay {
  /// What became of all, for the figures.
  struct Figures {
    var recipients = 0
    /// Workers that were lost.
    var losses = 0
    var crashes = 0
    var cuts = 0
    /// Pushes that were processed again.
    var again = 0
  }

  func prove() throws -> Figures {
    let pushes = try pushes
    expectNobodyLost(pushes)
    try expectProgress(pushes)
    let figures = Figures(
      recipients: recipients, losses: try losses, crashes: plan.crashes, cuts: plan.cuts,
      again: witness.sights.processedAgain)
    try expectTwiceOnlyListed()
    #expect(figures.again <= figures.losses * Self.exposureOfLoss, "\(figures): \(plan)")
    return figures
  }

  /// The device tokens in the history with the codes of their outcomes.
  private var pushes: [(token: String, outcome: Int)] {
    get throws {
      try database.rows(
        "SELECT encode(token, 'hex'), outcome FROM fanfare.pushes(0, \(Int64.max))"
      ).map { ($0[0] ?? "", $0[1].flatMap { Int($0) } ?? -1) }
    }
  }

  private func expectNobodyLost(_ pushes: [(token: String, outcome: Int)]) {
    let everybody = Set((1...recipients).map(tokenText))
    #expect(pushes.count == recipients, "not one result each: \(plan)")
    expectSame(Set(pushes.map(\.token)), everybody)
    let accepted = Set(pushes.filter { $0.outcome == 0 }.map(\.token))
    let unknown = Set(pushes.filter { $0.outcome == 4 }.map(\.token))
    expectSame(accepted.union(plan.isAtMostOnce ? unknown : []), everybody)
    expectSame(accepted.subtracting(witness.processed), [])
    // A push has one apns-id, however often it is sent.
    expectSame(Set(witness.sights.filter { Set($1.ids).count > 1 }.keys), [])
  }

  /// The counters are those of the results, and the queue is empty.
  private func expectProgress(_ pushes: [(token: String, outcome: Int)]) throws {
    let counters = try database.rows(
      "SELECT accepted, rejected, skipped, deferred, unknown, not_attempted FROM fanfare.progress")
    let counts = (0..<6).map { code in String(pushes.count { $0.outcome == code }) }
    #expect(counters == [counts], "\(plan)")
    #expect(try state == "finished")
    #expect(try database.rows("SELECT count(*) FROM fanfare.chunks") == [["0"]])
  }

  /// Twice comes only what the history says was sent again, and at most once nothing.
  private func expectTwiceOnlyListed() throws {
    let listed = try database.rows(
      """
      SELECT DISTINCT encode(token, 'hex') FROM fanfare.pushes(0, \(Int64.max))
        WHERE resent = 1 OR id IN (SELECT id FROM fanfare.other_results)
      """
    ).compactMap { $0[0] }
    let twice = Set(witness.sights.filter { $1.processed > 1 }.keys)
    let beyond = twice.subtracting(plan.isAtMostOnce ? [] : listed).count
    #expect(beyond == 0, "\(beyond) came twice, and the history does not tell: \(plan)")
  }

  private var losses: Int {
    get throws {
      let rows = try database.rows("SELECT count(*) FROM fanfare.workers WHERE was_lost = 1")
      return rows[0][0].flatMap { Int($0) } ?? 0
    }
  }
}
