import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("What the history tells of a run in the queue", .needsPostgreSQL, .timeLimit(.minutes(10)))
struct QueueHistoryTests {
  /// Two pushes were sent of a run of 202. A worker has claimed half of the rest, another was lost.
  private func withQueue(
    _ body: (_ ask: ([String]) throws -> Program.Result, QueueRows) throws -> Void
  ) throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let sent = try fanfare.send(
        "--to", tokenText(1), "--to", tokenText(2), "--history", database.address)
      #expect(sent.exitCode == 0, "\(sent.errors)")
      let queue = try QueueRows(in: database, count: 202)
      try queue.addWorker(1, "build-1", accepted: 1)
      try queue.addWorker(2, "build-2", lease: -30_000, accepted: 1)
      try queue.addChunk(from: 3, worker: 1, mark: 12)
      try queue.addChunk(from: 103, worker: 2, mark: 107)
      try queue.addOther(2, worker: 1)
      try body(
        { try fanfare.run($0, environment: ["FANFARE_HISTORY": database.address]) }, queue)
    }
  }

  private func line(_ name: String, _ text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(name + "  ") }.map {
      String($0.dropFirst(name.count).drop { $0 == " " })
    }
  }

  @Test("show tells what is left, who works on it, and what was sent twice")
  func show() throws {
    try withQueue { ask, queue in
      let shown = try ask(["history", "show", "1"])
      #expect(shown.exitCode == 0, "\(shown.errors)")
      #expect(line("state", shown.output) == "enqueued")
      #expect(line("left in queue", shown.output) == "200: 100 free, 100 claimed")
      #expect(line("being sent", shown.output) == "10" && line("in doubt", shown.output) == "5")
      #expect(line("sent twice", shown.output) == "1")
      #expect(shown.output.contains(/\n  build-1  working +\S+ +1 +1 +0 +0\n/))
      #expect(shown.output.contains(/\n  build-2  lost, heard of 2:\d\d ago +\S+ +1 +1 +0 +0\n/))
      #expect(shown.output.contains("\nSent twice\n  2\n"))
      #expect(!shown.output.contains("claimed, no result") && !shown.output.contains("go on with"))
      try queue.endWorker(1)
      let left = try ask(["history", "show", "1"]).output
      #expect(left.contains(/go on with +fanfare work 1\n/))
      try queue.finish()
      let ended = try ask(["history", "show", "1"]).output
      #expect(!ended.contains("left in queue") && ended.contains("\nWorkers\n"))
      #expect(line("sent twice", ended) == "1")
    }
  }

  @Test("show has all of it in JSON, of the run and of a push that was sent twice")
  func json() throws {
    try withQueue { ask, _ in
      let run = try JSON(text: try ask(["history", "show", "1", "--json"]).output)
      let queue = try #require(run["queue"])
      #expect(["left", "free", "claimed"].map { queue[$0]?.int } == [200, 100, 100])
      #expect(["deferred", "underway", "inDoubt"].map { queue[$0]?.int } == [0, 10, 5])
      #expect(queue["sentTwice"]?.int == 1 && queue["nextDue"] == .some(nil))
      let states = queue["workers"]?.array?.map { $0["state"]?.string }
      #expect(states == ["working", "lost"])
      let other = try #require(queue["otherResults"]?.array?.first)
      #expect(other["sequence"]?.int == 2 && other["worker"] == "build-1")
      let id = try #require(other["apnsID"]?.string)
      let push = try JSON(text: try ask(["history", "show", id, "--json"]).output)
      #expect(push["sequence"]?.int == 2 && push["otherResults"]?.array == [other])
      let schema = JSONSchema(try JSON(text: try ask(["config", "schema", "history-show"]).output))
      #expect(schema.faults(in: run) == [] && schema.faults(in: push) == [])
      let shown = try ask(["history", "show", id]).output
      #expect(
        line("sent twice", shown)?.hasPrefix("accepted: 200 by build-1 at 20") == true)
    }
  }

  @Test("of a push without a result it is told whether it may have been sent")
  func withoutResult() throws {
    try withQueue { ask, _ in
      let run = try JSON(text: try ask(["history", "show", "1", "--json"]).output)
      let id = try #require(run["queue"]?["otherResults"]?.array?.first?["apnsID"]?.string)
      for (sequence, fate) in [("00000c", "it may have been sent"), ("00000d", "it was not sent")] {
        let failure = try ask(["history", "show", id.dropLast(6) + sequence])
        #expect(failure.exitCode == 2 && failure.errors.contains(fate), "\(failure.errors)")
        #expect(failure.errors.contains("'fanfare work 1'"))
      }
    }
  }

  @Test("other commands say that its results are not all, or leave it alone")
  func others() throws {
    try withQueue { ask, queue in
      #expect(try ask(["history", "list"]).output.contains("enqueued"))
      #expect(try ask(["history", "stats"]).output.contains("Run 1 is being sent: only"))
      let refused = try ask(["history", "resend", "1", "--dry-run"])
      #expect(refused.exitCode == 2)
      #expect(refused.errors.contains("Run 1 is in the queue"), "\(refused.errors)")
      let prune = ["history", "prune", "--keep", "0", "--unfinished", "--json"]
      #expect(try JSON(text: try ask(prune).output)["keptBeingSent"]?.int == 1)
      try queue.endWorker(1)
      try queue.stop(because: "by hand")
      #expect(try ask(["history", "list"]).output.contains("stopped"))
      let figures = try ask(["history", "stats"]).output
      #expect(figures.contains("Run 1 was stopped") && figures.contains("'fanfare work 1'"))
      #expect(figures.contains("200 pushes have none"))
      let resumed = try ask(["resume"])
      #expect(resumed.exitCode == 0 && resumed.errors.contains("No run"), "\(resumed.errors)")
      let shown = try ask(["history", "show", "1"]).output
      #expect(line("state", shown) == "stopped" && line("because", shown) == "by hand")
      #expect(try JSON(text: try ask(prune).output)["runs"]?.int == 1)
    }
  }

  @Test("tail goes on while a run waits for a worker, and ends with it")
  func tailWaits() throws {
    try withFanfare { fanfare in
      let database = try PostgresDatabase()
      let place = ["--history", database.address]
      #expect(try fanfare.send("--to", tokenText(1), "--history", database.address).exitCode == 0)
      let queue = try QueueRows(in: database, count: 101)
      try queue.addChunk(from: 2)
      let tail = try fanfare.start(["history", "tail", "1", "--lines", "1"] + place)
      // From here on it follows. It would end at its first look if the run were given up.
      #expect(tail.readLine()?.contains("accepted") == true)
      #expect(try fanfare.run(["history", "list"] + place).output.contains("enqueued"))
      try queue.finish()
      let result = try tail.finish()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.contains("run 1 ended: 1 accepted"), "\(result.output)")
    }
  }

  @Test("tail tells of its workers, and ends when it is stopped")
  func tail() throws {
    try withQueue { ask, queue in
      try queue.stop(because: "by hand")
      let tail = try ask(["history", "tail", "1", "--lines", "0"])
      #expect(tail.exitCode == 0)
      #expect(tail.output.hasSuffix("run 1 was stopped (by hand): 2 accepted\n"), "\(tail.output)")
      let json = try JSON(text: try ask(["history", "tail", "1", "--lines", "0", "--json"]).output)
      #expect(json["event"] == "ended" && json["stopCause"] == "by hand")
    }
  }
}
