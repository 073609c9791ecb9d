import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("Work on a queue in PostgreSQL", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct WorkCommandTests {
  @Test("sends all, says so, and ends")
  func one() throws {
    try withQueue(of: 5000) { queue in
      let result = try queue.work("--json").finish()
      #expect(result.exitCode == 0, "\(result.errors)")
      queue.expectEverybodyOnce()
      let last = try JSON(text: try #require(result.output.split(separator: "\n").last))
      #expect(last["left"]?.int == 0 && last["run"]?.int == 1)
      #expect(try queue.work().finish().exitCode == 0)
      #expect(try queue.fanfare.run(["work", "1"] + queue.place).exitCode == 0)
    }
  }

  @Test("waits with --stay until somebody enqueues the first run, and else says how to")
  func beforeTheFirst() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let server = try Server(fanfare)
      let place = server.place + credentials + ["--history", database.address]
      let early = try fanfare.run(["work"] + place)
      #expect(early.exitCode == 2 && early.errors.contains("there is no history yet"))
      #expect(early.errors.contains("'fanfare send --enqueue'"), "\(early.errors)")
      let late = try fanfare.run(["work", "--stay", "--max-time", "1s"] + place)
      #expect(late.exitCode == 4 && late.errors.contains("--max-time 1s is over"), "\(late.errors)")
      let worker = try fanfare.start(["work", "--stay"] + place)
      let enqueued = try fanfare.run(
        ["send", "--enqueue", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(1)]
          + ["--server", server.emulator.url, "--history", database.address] + credentials)
      #expect(enqueued.exitCode == 0, "\(enqueued.errors)")
      try database.wait(until: "(SELECT state = 'finished' FROM fanfare.runs)")
      worker.send(SIGTERM)
      let result = try worker.finish()
      #expect(result.exitCode == 143, "\(result.errors)")
    }
  }

  @Test("ends when it is told to although its database is frozen", .timeLimit(.minutes(15)))
  func frozen() throws {
    let server = try PostgresServer()
    try withFanfare { fanfare in
      let database = try PostgresDatabase(on: server)
      let (arrived, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in
        arrived.signal()
        goOn.wait()
        return nil
      }
      let emulator = try Server(fanfare, configuration)
      // By itself no call would ever give up a silent server.
      let history = database.address + "&tcp_user_timeout=0"
      let place = emulator.place + credentials + ["--history", history]
      let enqueued = try fanfare.run(
        ["send", "--enqueue", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(1)]
          + ["--server", emulator.emulator.url, "--history", history] + credentials)
      #expect(enqueued.exitCode == 0, "\(enqueued.errors)")
      let worker = try fanfare.start(["work", "--stay"] + place)
      arrived.wait()
      try database.freezeServer {
        goOn.signal()
        worker.send(SIGTERM)
        #expect(worker.waitForEnd() != nil)
      }
    }
  }

  @Test("has the values of its template, whatever columns go beside the results")
  func template() throws {
    let bodies = Mutex<Set<String>>([])
    try withQueue(of: 1) { push in
      bodies.withLock { _ = $0.insert(String(decoding: push.body, as: UTF8.self)) }
      return nil
    } _: { queue in
      let folder = queue.fanfare.folder
      try folder.write("list.csv", "token,name,locale\n\(tokenText(7)),Ada,fr\n")
      try folder.write("payload.json", #"{"aps":{"alert":"Hi {{name}}"}}"#)
      let enqueued = try queue.fanfare.run(
        ["send", "--enqueue", "--bundle-id", "com.example.app", "--payload", "payload.json"]
          + ["--tokens", "list.csv", "--columns", "locale,name"] + credentials
          + ["--server", queue.server.emulator.url, "--history", queue.database.address])
      #expect(enqueued.exitCode == 0, "\(enqueued.errors)")
      let result = try queue.work().finish()
      #expect(result.exitCode == 0, "\(result.errors)")
      expectSame(queue.witness.processed, [tokenText(1), tokenText(7)])
    }
    #expect(bodies.withLock { $0.contains(#"{"aps":{"alert":"Hi Ada"}}"#) }, "no such payload")
  }

  @Test("is shared by two workers: each push is sent by one of them")
  func two() throws {
    try withQueue(of: 5000) { queue in
      let workers = try ["one", "two"].map {
        try queue.work("--name", $0, "--results", "\($0).csv")
      }
      for worker in workers { #expect(try worker.finish().exitCode == 0) }
      queue.expectEverybodyOnce()
      let rows = try ["one", "two"].flatMap { name in
        try queue.fanfare.folder.results("\(name).csv")
      }
      expectSame(Set(rows.map(\.token)), Set((1...5000).map(tokenText)))
      #expect(rows.count == 5000)
    }
  }

  @Test("is shared by two workers also if it is small")
  func twoOnFew() throws {
    let gathering = Gathering(of: 2)
    try withQueue(of: 3000) { push in
      gathering.attend(push)
      return nil
    } _: { queue in
      let workers = try ["one", "two"].map { try queue.work(as: $0) }
      for worker in workers { #expect(try worker.finish().exitCode == 0) }
      queue.expectEverybodyOnce()
      let told = try #require(try queue.shown()["queue"]?["workers"]?.array)
      #expect(told.allSatisfy { $0["accepted"]?.int ?? 0 > 300 }, "\(told)")
    }
  }

  @Test("hands back what it has at SIGTERM, and another worker sends it")
  func drained() throws {
    try withQueue(of: 5000) { queue in
      let first = try queue.executioner.start(SIGTERM, atRequest: 700) { try queue.work() }.finish()
      #expect(first.exitCode == 143)
      #expect(queue.witness.processed.count < 5000)
      // The list was read whole, by the process that enqueued it.
      #expect(!first.output.contains("not read"), "\(first.output)")
      let list = ["history", "list", "--history", queue.database.address]
      #expect(try queue.fanfare.run(list).output.contains("  5,000  "))
      #expect(try queue.work().finish().exitCode == 0)
      queue.expectEverybodyOnce()
    }
  }

  @Test("is taken over when a worker is killed: nobody is lost")
  func killed() throws {
    try withQueue(of: 3000) { queue in
      let lease = ["--lease", "10s", "--timeout", "3s"]
      let first = try queue.executioner.start(SIGKILL, atRequest: 700) { try queue.work(lease) }
      #expect(try first.finish().exitCode == nil)
      #expect(try queue.work(lease).finish().exitCode == 0)
      expectSame(queue.witness.processed, Set((1...3000).map(tokenText)))
    }
  }

  @Test("saves answers when the database is away for good, and the next worker here takes them")
  func saved() throws {
    let postgres = try PostgresServer()
    let worker = Mutex<Program?>(nil)
    let requests = Atomic(0)
    try withFanfare { fanfare in
      let queue = try Queue(fanfare, of: 3000, on: postgres) { _ in
        if requests.add(1, ordering: .relaxed).newValue == 700 {
          try? postgres.stop("immediate")
          worker.withLock { $0?.send(SIGTERM) }
        }
        return nil
      }
      let first = try worker.withLock { worker in
        let started = try queue.work()
        worker = started
        return started
      }
      let result = try first.finish()
      #expect(result.exitCode == 143, "\(result.errors)")
      #expect(result.errors.contains("The results that it lacks are in "), "\(result.errors)")
      #expect(
        result.errors.contains("\n  They are taken from there by: fanfare work 1 --history "))
      let kept = fanfare.folder.file(".local/state/fanfare/lists")
      // Its notes say the same until the machine is started again.
      for name in try FileManager.default.contentsOfDirectory(atPath: kept)
      where name.contains(".sent-") {
        try FileManager.default.removeItem(atPath: "\(kept)/\(name)")
      }
      try postgres.start()
      try queue.database.execute("UPDATE fanfare.workers SET lease = 0")
      let last = try queue.work().finish()
      #expect(last.exitCode == 0, "\(last.errors)")
      queue.expectEverybodyOnce()
      #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == [])
    }
  }

  @Test("waits for no answer longer than a third of its lease, whatever it is told")
  func longestTimeout() throws {
    try withQueue(of: 1, answer: { _ in .swallow }) { queue in
      let worker = try queue.work("--lease", "10s", "--timeout", "8s")
      queue.arrived.wait()
      worker.send(SIGINT)
      let result = try worker.finish()
      #expect(result.exitCode == 130)
      #expect(result.errors.contains("1 push in flight, at most 4 seconds"), "\(result.errors)")
    }
  }

  @Test("is stopped everywhere, and goes on when the run is named")
  func stopped() throws {
    try withQueue(of: 5000, words: ["--rate", "500/s"]) { queue in
      // Nothing is sent after the last in flight, and the rate leaves nine seconds' work.
      let worker = try queue.work()
      queue.arrived.wait()
      let stop = try queue.fanfare.run(["stop", "1", "--json", "--history", queue.database.address])
      #expect(stop.exitCode == 0)
      let told = try JSON(text: stop.output)
      #expect(told["state"]?.string == "stopped" && told["held"]?.int ?? 0 > 0, "\(stop.output)")
      #expect(try worker.finish().exitCode == 4)
      let sent = queue.witness.processed.count
      #expect(sent < 5000)
      let later = try queue.fanfare.run(["stop", "1", "--history", queue.database.address])
      #expect(later.output.contains("Run 1 was stopped before: "), "\(later.output)")
      #expect(!later.output.contains("Of these"))
      let idle = try queue.work().finish()
      #expect(idle.exitCode == 4)
      #expect(queue.witness.processed.count == sent)
      try queue.hasten()
      // With the options that this worker was given.
      let way = idle.errors.firstMatch(
        of: /Run 1 is stopped: 'fanfare (work 1 .+)' continues it\./)
      let command = try #require(way?.output.1)
      let again = try run("bash", ["-c", "\(Fanfare.path) \(command)"], in: queue.fanfare.folder)
      #expect(again.exitCode == 0, "\(command): \(again)")
      queue.expectEverybodyOnce()
    }
  }

  @Test("ends with 4 and the next date where only deferred pushes are left")
  func deferred() throws {
    try withQueue(of: 3, answer: { $0.token.number == 2 ? .reject(.serviceUnavailable) : nil }) {
      queue in
      let result = try queue.work().finish()
      #expect(result.exitCode == 4)
      #expect(result.errors.contains("Run 1 has deferred pushes left; the next is due at 20"))
      #expect(try queue.work("1").finish().exitCode == 4)
    }
  }

  @Test("takes no host, authority, proxy, path or command from the database")
  func hostile() throws {
    try withQueue(of: 3) { queue in
      let folder = queue.fanfare.folder
      let row = """
        {"settings": {"server": "https://127.0.0.1:1", "environment": "https://127.0.0.1:1",
        "ca": "no.pem", "proxy": "http://127.0.0.1:1", "results": "taken.jsonl", "history": "h.sqlite",
        "deadTokens": "taken.txt", "key": "no.p8", "cert": "no.p12", "broadcastHost": "127.0.0.1:1"},
        "folder": "/", "recipients": [], "suppressed": [], "isTemplate": false}
        """
      try PostgresSession(queue.database.address).execute(
        "UPDATE fanfare.runs SET settings = $json$\(row)$json$, server = 'https://127.0.0.1:1'")
      let names = { Set(try folder.names().filter { !$0.hasPrefix(".") }) }
      let before = try names()
      #expect(try queue.work().finish().exitCode == 0)
      queue.expectEverybodyOnce()
      expectSame(try names(), before)
    }
  }

  @Test("leaves runs for others alone, and says what is missing when one is named")
  func others() throws {
    try withQueue(of: 3) { queue in
      let words = ["--history", queue.database.address]
      let sandbox = try queue.fanfare.run(["work", "1", "--env", "sandbox"] + credentials + words)
      #expect(sandbox.exitCode == 2 && sandbox.errors.contains("this worker sends to sandbox"))
      try queue.fanfare.folder.writeSecret("AuthKey_OTHER12345.p8", try freshKey())
      let other = ["--key", "AuthKey_OTHER12345.p8", "--team-id", "DEF123GHIJ"] + words
      let named = try queue.fanfare.run(["work", "1"] + queue.server.place + other)
      #expect(named.exitCode == 3)
      #expect(named.errors.contains("needs the key ABC123DEFG of team DEF123GHIJ"))
      let any = try queue.fanfare.run(["work"] + queue.server.place + other)
      #expect(any.exitCode == 0)
      #expect(any.errors.contains("needs the key ABC123DEFG of team DEF123GHIJ"))
      #expect(any.errors.contains("Nothing is left in the queue that this worker can send."))
      #expect(queue.witness.processed.isEmpty)
      #expect(try queue.fanfare.run(["resume", "1"] + queue.place).exitCode == 0)
      queue.expectEverybodyOnce()
    }
  }

  @Test("needs a history in PostgreSQL, and a run in the queue")
  func refusals() throws {
    try withFanfare { fanfare in
      for command in ["work", "stop"] {
        let words = [command, "1", "--history", "h.sqlite"]
        let result = try fanfare.run(words)
        #expect(result.exitCode == 2 && result.errors.contains("it has no queue of runs"))
      }
      let database = try PostgresDatabase()
      let place = ["--history", database.address]
      #expect(
        try fanfare.send("--to", tokenText(1), "--history", database.address).exitCode == 0)
      let stop = try fanfare.run(["stop", "1"] + place)
      #expect(stop.exitCode == 2 && stop.errors.contains("Run 1 is not in the queue."))
    }
  }
}
