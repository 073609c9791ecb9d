import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The list of dead device tokens")
struct DeadTokenTests {
  /// APNs' timestamp, in milliseconds: 2023-11-14 22:13:20 UTC.
  private static let diedAt: Int64 = 1_700_000_000_000

  /// Device tokens that all get a 410 with that timestamp, and when they were registered.
  private static let rows: [(token: String, registered: String, isDead: Bool)] = [
    (device("0a01"), "", true), (device("0a02"), "1600000000", true),
    (device("0a03"), "1700000000", true),
    (device("0a04"), "1700000001", false), (device("0a05"), "1700000001000", false),
    (device("0a06"), "2023-11-14T22:13:19Z", true),
    (device("0a07"), "2023-11-14T22:13:21.5Z", false),
    (device("0a08"), "2023-11-14T23:13:20+01:00", true),
  ]

  @Test(
    "holds those that were registered before they died, and is a list for --suppress",
    arguments: ["dead.txt", "dead.csv", "dead.jsonl"])
  func forms(name: String) throws {
    try withFanfare { fanfare in
      let server = try Server(
        fanfare, Self.configuration(.reject(.unregistered, timestamp: Self.diedAt)))
      let rows = Self.rows.map { "\($0.token),\($0.registered)\n" }
      try fanfare.folder.write(
        "list.csv", "token,registered\n" + rows.joined() + "\(device("0b01")),\n")
      let first = try server.send("--tokens", "list.csv", "--dead-tokens", name, "--json")
      expectSum(of: try JSON(text: first.output))
      let text = try fanfare.folder.text(name)
      for row in Self.rows { #expect(text.contains(row.token) == row.isDead, "\(row.token)") }
      #expect(!text.contains(device("0b01")))
      let second = try server.send("--tokens", "list.csv", "--suppress", name, "--json")
      let summary = try JSON(text: second.output)
      expectSum(of: summary)
      #expect(summary["suppressed"]?.int == Self.rows.count(where: \.isDead))
      #expect(summary["badLines"] == 0 && summary["accepted"] == 1)
    }
  }

  @Test("holds those whose token has expired, and none that APNs only calls bad")
  func reasons() throws {
    let reasons: [Reason] = [.expiredToken, .badDeviceToken, .deviceTokenNotForTopic]
    for reason in reasons {
      try withFanfare { fanfare in
        let server = try Server(fanfare, Self.configuration(.reject(reason)))
        _ = try server.send(
          "--to", device("0a01"), "--to", device("0b01"), "--dead-tokens", "dead.txt")
        let text = try fanfare.folder.text("dead.txt")
        #expect(text == (reason == .expiredToken ? "\(device("0a01"))\n" : ""), "\(reason)")
      }
    }
  }

  @Test("stays empty when every device token is bad, and the run stops")
  func wave() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(5000))
      let server = try Server(fanfare, Self.configuration(.reject(.badDeviceToken)))
      let result = try server.send("--tokens", "list.txt", "--dead-tokens", "dead.txt", "--json")
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(result.exitCode == 4 && summary["accepted"] == 0)
      #expect((summary["notAttempted"]?.int ?? 0) > 0)
      #expect(try fanfare.folder.text("dead.txt") == "")
    }
  }

  @Test("that did not fit is named, with the number of those that are in it", .needs("bash"))
  func full() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare, Self.configuration(.reject(.unregistered)))
      try fanfare.folder.write("list.txt", tokenList(100))
      // Files may have 4 KiB: 63 tokens and the start of another.
      let words = server.words + ["--no-history", "--tokens", "list.txt"]
      func send(_ more: [String]) throws -> Program.Result {
        let script = ["-c", "ulimit -f 4; exec \"$@\"", "bash", Fanfare.path]
        return try run("bash", script + words + more, in: fanfare.folder)
      }
      let one = try send(["--dead-tokens", "d.txt"])
      #expect(try fanfare.folder.text("d.txt") == tokenList(63))
      #expect(one.output.contains(/\ndead tokens +63 in d\.txt, 37 could not be written\n/))
      #expect(one.errors.contains("d.txt"), "\(one.errors)")
      // Each of several files has its own error and its own figure.
      let two = try send(["--dead-tokens", "d.txt", "--results", "r.jsonl"])
      #expect(two.errors.contains("d.txt") && two.errors.contains("r.jsonl"), "\(two.errors)")
      #expect(two.output.contains(/\nresults +r\.jsonl, incomplete\n/), "\(two.output)")
      #expect(two.output.contains("63 in d.txt"))
      let lines = try fanfare.folder.lines("r.jsonl")
      #expect(try lines.allSatisfy { try JSON(text: $0)["outcome"] == "rejected" })
    }
  }

  @Test(
    "that did not fit is completed by a command that is told",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func completed() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare, Self.configuration(.reject(.unregistered)))
      try fanfare.folder.write("list.txt", tokenList(100))
      let path = fanfare.folder.file("d.txt")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
      let words = ["--results", "r.jsonl", "--dead-tokens", "d.txt"]
      let sent = try server.send(words: ["--tokens", "list.txt"] + words)
      #expect(sent.output.contains("0 in d.txt, 100 could not be written"), "\(sent.output)")
      let hint = "Once there is room, 'fanfare resume 1 --results r.jsonl"
      #expect(sent.errors.contains(hint), "\(sent.errors)")
      try FileManager.default.removeItem(atPath: path)
      #expect(try fanfare.run(["resume", "1"] + words).exitCode == 0)
      #expect(try fanfare.folder.text("d.txt") == tokenList(100))
    }
  }

  /// Answers so to everybody whose token does not begin with 0b.
  private static func configuration(_ answer: EmulatorAnswer) -> EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.answer = { $0.token.hex.hasSuffix("0b01") ? nil : answer }
    return configuration
  }
}
