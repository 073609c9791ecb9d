import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

/// A run in the queue of a database, and the server that it goes to.
final class Queue {
  let fanfare: Fanfare
  let count: Int
  let database: PostgresDatabase
  let server: Server
  let witness = Witness()
  let executioner = Executioner()
  /// A request has arrived.
  let arrived = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - lists: how many lists there are: each makes chunks of its own.
  ///   - words: more options of `send --enqueue`.
  ///   - postgres: the server of the database; nil for the one that tests share.
  ///   - answer: decides on each push, after it was noted.
  init(
    _ fanfare: Fanfare, of count: Int, lists: Int = 1, words: [String] = [],
    on postgres: PostgresServer? = nil,
    answer: @escaping @Sendable (IncomingPush) -> EmulatorAnswer?
  ) throws {
    (self.fanfare, self.count) = (fanfare, count)
    database = try PostgresDatabase(on: postgres)
    let (executioner, arrived) = (executioner, arrived)
    server = try Server(
      fanfare,
      witness.configuration { push in
        executioner.noteRequest()
        arrived.signal()
        return answer(push)
      })
    let result = try fanfare.run(
      ["send", "--enqueue", "--bundle-id", "com.example.app", "--title", "Hello"] + credentials
        + ["--server", server.emulator.url, "--history", database.address]
        + Self.write(lists, of: count / lists, in: fanfare.folder) + words)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  private static func write(
    _ lists: Int, of size: Int, in folder: TemporaryFolder
  ) throws -> [String] {
    try (0..<lists).flatMap { list in
      let numbers = (list * size + 1)...(list * size + size)
      try folder.write("list-\(list).txt", numbers.map { tokenText($0) + "\n" }.joined())
      return ["--tokens", "list-\(list).txt"]
    }
  }

  /// The options of a worker.
  var place: [String] { server.place + credentials + ["--history", database.address] }

  func work(_ words: String...) throws -> Program { try work(words) }

  func work(_ words: [String]) throws -> Program { try fanfare.start(["work"] + words + place) }

  /// Starts a worker with a name and one connection.
  func work(as name: String, _ words: String...) throws -> Program {
    try work(["--name", name, "--connections", "1"] + words)
  }

  /// Lets the lease of a worker run out.
  func expire(_ name: String) throws {
    try database.execute("UPDATE fanfare.workers SET lease = 0 WHERE name = '\(name)'")
  }

  /// Lets a run that was enqueued with `--rate 500/s` go on as fast as it can.
  func hasten() throws {
    try database.execute("UPDATE fanfare.runs SET settings = replace(settings, '500/s', '50000/s')")
  }

  /// What the history tells of the run.
  func shown() throws -> JSON {
    let words = ["history", "show", "1", "--json", "--history", database.address]
    return try JSON(text: try fanfare.run(words).output)
  }

  /// The device tokens that a push came for more than once.
  var sentTwice: Set<String> { Set(witness.sights.filter { $1.ids.count > 1 }.keys) }

  func expectEverybody() { expectSame(witness.processed, Set((1...count).map(tokenText))) }

  func expectEverybodyOnce() {
    expectEverybody()
    expectSame(sentTwice, [])
  }
}

func withQueue(
  of count: Int, lists: Int = 1, words: [String] = [],
  answer: @escaping @Sendable (IncomingPush) -> EmulatorAnswer? = { _ in nil },
  _ body: (Queue) throws -> Void
) throws {
  try withFanfare { fanfare in
    try body(Queue(fanfare, of: count, lists: lists, words: words, answer: answer))
  }
}

/// Answers the first push of each connection when so many connections have brought one.
final class Gathering: Sendable {
  private let meeting: Meeting
  private let known = Mutex<Set<Int>>([])

  init(of connections: Int) { meeting = Meeting(of: connections) }

  /// To be called for each push.
  func attend(_ push: IncomingPush) {
    if known.withLock({ $0.insert(push.connection).inserted }) { meeting.attend() }
  }

  /// Waits for the connections.
  func wait() { meeting.wait() }
}
