import Foundation
import JSONText
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("What a run in a database may have sent when it dies", .needsPostgreSQL)
struct PostgreSQLMarkTests {
  @Test("is what this machine knows that it sent, not what was claimed ahead")
  func killed() throws {
    let database = try PostgresDatabase()
    try withFanfare { fanfare in
      let history = ["--history", database.address]
      let run = try ResumableRun(of: 2000, in: fanfare)
      #expect(try run.send(["--rate", "300/s"] + history, atRequest: 100).exitCode == nil)
      let show = try JSON(text: fanfare.run(["history", "show", "1", "--json"] + history).output)
      #expect(show["total"]?.int ?? 0 <= 100)
      let last = try run.resume("--history", history[1])
      #expect(last.exitCode == 0)
      #expect(run.inDoubt.count <= 100 && (run.inDoubt.max() ?? 0) <= 110, "\(last.errors)")
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
      let kept = fanfare.folder.file(".local/state/fanfare/lists")
      #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == [])
      #expect(try database.rows("SELECT state FROM fanfare.runs") == [["finished"]])
    }
  }

  @Test("is what was claimed, where another machine has gone on since")
  func otherMachine() throws {
    let database = try PostgresDatabase()
    try withFanfare { fanfare in
      let history = ["--history", database.address]
      let run = try ResumableRun(of: 2000, in: fanfare)
      let slow = ["--rate", "300/s"] + history
      #expect(try run.send(slow, atRequest: 100).exitCode == nil)
      let kept = fanfare.folder.file(".local/state/fanfare/lists")
      let marks = try FileManager.default.contentsOfDirectory(atPath: kept).map { "\(kept)/\($0)" }
      #expect(marks.count == 1 && marks[0].hasSuffix(".sent"))
      let first = try Data(contentsOf: URL(filePath: marks[0]))
      #expect(try run.resume("--history", history[1], atRequest: 100).exitCode == nil)
      // This machine knows of the first pass only.
      try first.write(to: URL(filePath: marks[0]))
      #expect(try run.resume("--history", history[1]).exitCode == 0)
      #expect(run.inDoubt.count > 1000)
      #expect(try database.rows("SELECT state FROM fanfare.runs") == [["finished"]])
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
    }
  }

  @Test("is nothing that it could save to a file, which resume takes it from")
  func lostServer() throws {
    let server = try PostgresServer()
    let database = try PostgresDatabase(on: server)
    try withFanfare { fanfare in
      let isUp = Atomic(true)
      let requests = Atomic(0)
      let history = ["--history", database.address]
      let run = try ResumableRun(of: 2000, in: fanfare) { _ in
        if requests.add(1, ordering: .relaxed).newValue == 300 {
          try? server.stop("immediate")
          isUp.store(false, ordering: .relaxed)
        }
        return nil
      }
      let first = try run.send(["--rate", "1000/s"] + history)
      #expect(first.exitCode == 4 && !isUp.load(ordering: .relaxed))
      #expect(first.errors.contains("The results that it lacks are in "))
      #expect(
        first.errors.contains("\n  They are taken from there by: fanfare resume 1 --history "))
      try server.start()
      let last = try run.resume("--history", database.address)
      #expect(last.exitCode == 0)
      #expect(
        last.errors.contains(
          /[0-9]+ results? of run 1 (was|were) only in .+, and (is|are) in the history now\./)
      )
      #expect(run.inDoubt.isEmpty, "\(last.errors)")
      run.expectNobodyLost()
      run.expectNobodyTwice()
      let rows = try database.rows(
        "SELECT count(*), count(DISTINCT id) FROM fanfare.pushes(0, 1::bigint << 60)")
      #expect(rows == [["2000", "2000"]])
      let show = try JSON(text: fanfare.run(["history", "show", "1", "--json"] + history).output)
      #expect(show["accepted"]?.int == 2000)
    }
  }
}
