import APNS
import Foundation
import JSONText
import Testing

@testable import PushEmulator

@Suite("Journal")
struct JournalTests {
  @Test("writes a JSON line per request, with null for what is absent")
  func writesLines() throws {
    let path = temporaryPath("jsonl")
    defer { remove(path) }
    let journal = try Journal(.file(path))
    var entries = [
      ReceivedPush(
        connection: 1, stream: 3, token: "ab", apnsID: "ID", status: 400, reason: .badPriority,
        note: "a\n\u{1B}[2J"),
      ReceivedPush(connection: 2, stream: 1, token: "ab", apnsID: "ID", status: 200),
      ReceivedPush(connection: 2, stream: 5),
    ]
    journal.write(&entries)
    #expect(entries.isEmpty && journal.failure == nil)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let objects = try lines.map { try JSONReader().read(Array($0.utf8)) }
    #expect(objects.map { $0["id"]?.number?.int } == [1, 2, 3])
    #expect(objects.map { $0["status"]?.number?.int } == [400, 200, nil])
    #expect(objects.map { $0["reason"]?.string } == ["BadPriority", nil, nil])
    #expect(objects.map { $0["token"]?.string } == ["ab", "ab", nil])
    #expect(objects.map { $0["processed"]?.bool } == [false, true, false])
    #expect(objects[0]["note"] == "a\n\u{1B}[2J" && lines[0].contains(#""a\n\u001b[2J""#))
    #expect(objects[0]["cause"]?.string != nil && objects[0]["fix"]?.string != nil)
    #expect(objects[1]["cause"] == nil)
  }

  @Test("keeps the file to its owner, and goes on at its end")
  func keepsFilePrivate() throws {
    let path = temporaryPath("jsonl")
    defer { remove(path) }
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data("{}\n".utf8), attributes: [.posixPermissions: 0o644]))
    var entries = [ReceivedPush(connection: 1, stream: 1)]
    try Journal(.file(path)).write(&entries)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{}\n{\"id\""))
  }

  @Test("leaves what is no file to everybody, as a device such as /dev/null has to be")
  func keepsDevices() throws {
    let path = temporaryPath("pipe")
    defer { remove(path) }
    try #require(mkfifo(path, 0o600) == 0 && chmod(path, 0o666) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    _ = try Journal(.file(path))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o666)
  }

  @Test("refuses a path that cannot be written, and a symbolic link")
  func refusesBadPaths() throws {
    let link = temporaryPath("jsonl")
    defer { remove(link) }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
    for path in ["/no/such/folder/journal", link] {
      var configuration = EmulatorConfiguration()
      configuration.journal = .file(path)
      let error = #expect(throws: EmulatorError.self) { try Emulator(configuration) }
      guard case .journal = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
