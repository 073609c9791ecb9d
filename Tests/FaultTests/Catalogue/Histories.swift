import APNS
import Delivery
import Foundation
import HTTP2
import PushEmulator
import PushModel
import SQLHistory
import SendingSupport
import Synchronization
import TestSupport
import Testing

extension FaultRow {
  /// The history, which is the ledger.
  static let histories = [
    FaultRow(
      70, "No room for the history", "Stops, tells every result, and saves those it cannot write",
      .run(.boundedEnd, "in the process", fault: .elsewhere) { bench in
        try bench.serve()
        bench.pages = 40
        bench.pace = SQLLedger.Pace(claimStep: 500, batchResults: 200)
        bench.books.causes = ["history", "full"]
        try bench.send(10_000)
        bench.pages = nil
      },
      .program(.boundedEnd, "the program", fault: .elsewhere) { bench in
        bench.books.causes = ["exit code 4", "The disk has no room left for the history"]
        try bench.send(25_000, shell: "ulimit -f 1536")
      },
      .program(.exactlyOnce, "and resume", fault: .elsewhere) { bench in
        // What the history lacks stays small, for the limit is that of the file that takes it, too.
        let first = try bench.send(25_000, "--rate", "4000/s", shell: "ulimit -f 1536")
        #expect(first.exitCode == 4)
        let last = try bench.resume()
        #expect(last.exitCode == 0 && last.errors.contains("in the history now."))
      }),
    FaultRow(
      71, "Somebody else holds the history", "Waits five seconds, then stops",
      .run(.exactlyOnce, "for a while", fault: .elsewhere) { bench in
        let lock = HistoryLock(bench.books.history)
        try bench.serve { attempt in
          if attempt.push.number == 100 { lock.take() }
          if attempt.push.number == 400 { lock.free() }
          return nil
        }
        bench.pace = SQLLedger.Pace(busyMilliseconds: 60_000)
        try bench.send(1000)
        #expect(lock.wasTaken)
      },
      .run(.boundedEnd, "for ever", fault: .elsewhere) { bench in
        let lock = HistoryLock(bench.books.history)
        try bench.serve { attempt in
          if attempt.push.number == 100 { lock.take() }
          return nil
        }
        bench.pace = SQLLedger.Pace(claimStep: 500, batchResults: 200, busyMilliseconds: 50)
        bench.books.causes = ["history", "locked"]
        try bench.send(10_000)
        #expect(lock.wasTaken)
        lock.free()
      }),
    FaultRow(
      72, "Two processes that write one history", "Both get through",
      .run(.exactlyOnce, "in one process", fault: .elsewhere) { bench in
        let other = try Bystander(history: bench.books.history)
        try bench.serve { _ in
          other.start()
          return nil
        }
        try bench.send(3000)
        try other.expectEnd()
      },
      .program(.exactlyOnce, "two programs", fault: .elsewhere) { bench in
        let other = try Neighbour(bench.fanfare)
        bench.answer { attempt in
          if attempt.push.number == 1500 { other.goOn() }
          return nil
        }
        try bench.send(6000)
        try other.expectEnd()
      }),
    FaultRow(
      106, "A connection pooler before PostgreSQL that has no connection left",
      "Says so within ten seconds; a worker tries again for ten minutes, or with --stay for ever",
      omitted: "the books of these cases are kept in SQLite; PooledConnectionTests prove it"),
    FaultRow(
      107, "A connection pooler that gives each transaction another session of PostgreSQL",
      "Refuses before anything is sent, and names pool_mode",
      omitted: "the books of these cases are kept in SQLite; PooledConnectionTests prove it"),
    FaultRow(
      108, "PostgreSQL is frozen while a worker is told to end",
      "Ends within ten seconds, and saves the results that it could not write",
      omitted: "the books of these cases are kept in SQLite; LostConnectionTests and"
        + " WorkCommandTests prove it"),
    FaultRow(
      73, "A run that is resumed twice at once", "Refuses the second",
      .run(.exactlyOnce, "in one process", fault: .elsewhere) { bench in
        let (control, path) = (bench.run.control, bench.books.history)
        try bench.serve { attempt in
          if attempt.push.number == 300 { control.stop(.interrupted) }
          return nil
        }
        try bench.send(2500)
        let second = Refusals()
        try bench.serve { attempt in
          if attempt.push.number == 10 { second.tryToResume(path) }
          return nil
        }
        try bench.resume()
        #expect(second.count == 1)
      },
      .program(.exactlyOnce, "two programs", fault: .elsewhere) { bench in
        try bench.send(3000, "--connections", "1", signal: SIGINT, atRequest: 300)
        let fanfare = bench.fanfare
        let second = Mutex<Program.Result?>(nil)
        bench.answer { attempt in
          // The first waits for its answers meanwhile.
          if attempt.push.number == 1600 {
            let result = try? fanfare.run(["resume"])
            second.withLock { $0 = result }
          }
          return nil
        }
        #expect(try bench.resume().exitCode == 0)
        let refused = try #require(second.withLock { $0 })
        #expect(refused.exitCode == 2 && refused.errors.contains("is being sent"))
      }),
    FaultRow(
      74, "A history that is none, another program's, newer, or where none can be",
      "Stops before anything is sent, and leaves it as it is",
      unusable("no database", "letter.txt", "not a fanfare history") {
        try $0.write("letter.txt", String(repeating: "Dear reader, ", count: 500))
      },
      unusable("another's", "music.sqlite", "this database belongs to another program") {
        try SQLiteFile($0.file("music.sqlite")).execute("CREATE TABLE songs (name)")
      },
      unusable("newer", "new.sqlite", "the history has format 99") { folder in
        _ = try Fanfare(folder: folder).send("--to", device("0a1b"), "--history", "new.sqlite")
        try SQLiteFile(folder.file("new.sqlite")).execute("PRAGMA user_version = 99")
      },
      unusable("nowhere", "/dev/null/x/h.sqlite", "cannot open the history") { _ in }),
    FaultRow(
      87, "A resend that is killed, and another one that sends the same pushes",
      "Which pushes a resend sends is written down before the first of them: resume passes over it,"
        + " and the next resend says which may arrive twice",
      .program(.exactlyOnce) { bench in
        bench.books.runs = 3
        bench.answer { _ in .reject(.serviceUnavailable) }
        try bench.send(600, "--connections", "1")
        bench.answer { _ in .swallow }
        #expect(try bench.resend(1, atRequest: 1).exitCode == nil)
        bench.answer { _ in nil }
        let second = try bench.resend(1)
        #expect(second.exitCode == 0 && second.errors.contains(", and may arrive twice:\n  1"))
        let requests = bench.books.witness.requests
        let resumed = try bench.resume("--now")
        #expect(resumed.exitCode == 0 && resumed.errors.contains("Run 2 is passed over"))
        #expect(bench.books.witness.requests == requests)
      }),
    FaultRow(
      88, "The history is deleted in mid-run",
      "Goes on, says at the end that the run is recorded nowhere, and exits with 1",
      .program(.exactlyOnce, fault: .elsewhere) { bench in
        let path = bench.books.history
        bench.answer { attempt in
          if attempt.push.number == 3000 { unlink(path) }
          return nil
        }
        let result = try bench.send(6000, "--connections", "1")
        #expect(result.exitCode == 1)
      }),
    FaultRow(
      89, "A history with damaged bytes, or values that no version writes",
      "Says so before anything is sent, and leaves it as it is",
      tampered("progress SET claimed = -1"),
      tampered("progress SET accepted = 9223372036854775807"),
      tampered("runs SET started = -9223372036854775807"),
      tampered("results SET at = 9223372036854775807"),
      unusable("damaged bytes", "broken.sqlite", "the history is damaged") { folder in
        _ = try Fanfare(folder: folder).send("--to", device("0a1b"), "--history", "broken.sqlite")
        let path = folder.file("broken.sqlite")
        try SQLiteFile(path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes.replaceSubrange(100..<3100, with: Data(repeating: 0xA5, count: 3000))
        try bytes.write(to: URL(filePath: path))
      }),
    FaultRow(
      99, "A worker's database that is away for good",
      "Saves the answers that it could not write; workers of the same machine take them",
      omitted: "a row's bench has no queue; `WorkCommandTests` shows it"),
  ]

  private static func tampered(_ change: String) -> FaultCase {
    let name = String(change.prefix { $0 != "=" }.dropLast()).replacing(" SET ", with: ".")
    return .program(.nothingSent, name, fault: .elsewhere) { bench in
      let folder = bench.fanfare.folder
      let pushes = ["--to", device("0a1b"), "--to", device("0a1c"), "--history", "h.sqlite"]
      _ = try Fanfare(folder: folder).run(
        ["send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi"] + pushes)
      let path = folder.file("h.sqlite")
      try SQLiteFile(path).changeResults(
        "UPDATE \(change); UPDATE runs SET state = 'running'; PRAGMA wal_checkpoint(TRUNCATE)")
      let before = FileManager.default.contents(atPath: path)
      bench.books.causes = ["exit code 2", "the history is damaged"]
      try bench.command(["resume", "--history", "h.sqlite"])
      #expect(before == FileManager.default.contents(atPath: path))
    }
  }

  private static func unusable(
    _ name: String, _ path: String, _ cause: String,
    _ prepare: @escaping @Sendable (TemporaryFolder) throws -> Void
  ) -> FaultCase {
    .program(.nothingSent, name, fault: .elsewhere) { bench in
      let folder = bench.fanfare.folder
      try prepare(folder)
      try folder.write("r.csv", "earlier results\n")
      let words = SendingSupport.credentials.joined(separator: " ")
      bench.books.causes = ["exit code 2", cause]
      try bench.send(
        to: nil,
        "--to \(tokenText(1)) --bundle-id com.example.shop --history \(path) \(words)"
          + " --results r.csv")
      #expect(try folder.text("r.csv") == "earlier results\n")
    }
  }
}

/// Tries to resume a run that is being resumed.
private final class Refusals: Sendable {
  private let refusals = Atomic(0)

  var count: Int { refusals.load(ordering: .relaxed) }

  func tryToResume(_ path: String) {
    do {
      _ = try SQLLedger.resume(.first, at: path, now: RunClock.system.epochMilliseconds())
    } catch HistoryError.owned {
      refusals.add(1, ordering: .relaxed)
    } catch {}
  }
}
