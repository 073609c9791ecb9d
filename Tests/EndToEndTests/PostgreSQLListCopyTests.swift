import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The copy of a list whose run is in PostgreSQL", .needsPostgreSQL)
struct PostgreSQLListCopyTests {
  @Test("is in the state folder until nothing is left, or the run is removed")
  func kept() throws {
    try withFanfare { fanfare in
      let (server, database) = (try deferringServer(fanfare), try PostgresDatabase())
      for removal in [["resume", "--now"], ["history", "prune", "--keep", "0", "--unfinished"]] {
        #expect(try send(server, database).exitCode == 4)
        let copies = try copies(fanfare)
        #expect(copies.count == 2 && copies.allSatisfy { $0.wholeMatch(of: /run-\d-.+/) != nil })
        let more = removal[0] == "resume" ? server.place + credentials : []
        let result = try fanfare.run(removal + more + ["--history", database.address])
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try self.copies(fanfare) == [])
      }
    }
  }

  @Test("is not taken for that of another database's run")
  func foreign() throws {
    try withFanfare { fanfare in
      let server = try deferringServer(fanfare)
      let (first, second) = (try PostgresDatabase(), try PostgresDatabase())
      #expect(try send(server, first).exitCode == 4)
      let copies = Set(try copies(fanfare))
      #expect(try send(server, second).exitCode == 4)
      for name in try self.copies(fanfare) where !copies.contains(name) {
        try FileManager.default.removeItem(atPath: fanfare.folder.file(Self.folder + "/" + name))
      }
      let resume = ["resume", "--now"] + server.place + credentials
      let lost = try fanfare.run(resume + ["--history", second.address])
      #expect(lost.exitCode == 2 && lost.errors.contains("could be read only once"))
      #expect(try fanfare.run(resume + ["--history", first.address]).exitCode == 0)
    }
  }

  private static let folder = ".local/state/fanfare/lists"

  private func copies(_ fanfare: Fanfare) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fanfare.folder.file(Self.folder)).sorted()
  }

  /// Defers the first attempt of each push.
  private func deferringServer(_ fanfare: Fanfare) throws -> Server {
    try fanfare.folder.write("list.txt", tokenList(3))
    var configuration = EmulatorConfiguration()
    configuration.answer = firstAttempts { _ in .reject(.serviceUnavailable) }
    return try Server(fanfare, configuration)
  }

  private func send(_ server: Server, _ database: PostgresDatabase) throws -> Program.Result {
    try server.fanfare.run(
      server.words + ["--tokens", "-", "--history", database.address],
      input: .file(server.fanfare.folder.file("list.txt")))
  }
}
