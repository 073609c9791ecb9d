import APNS
import Delivery
import Foundation
import JSONText
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

extension FaultRow {
  /// Lists, and single device tokens of them.
  static let lists = [
    FaultRow(
      45, "410 Unregistered, from before or after a token was registered",
      "Lists as dead only whoever was registered before",
      .program(.exactlyOnce) { bench in
        bench.answer {
          $0.token % 2 == 0 ? .reject(.unregistered, timestamp: 1_700_000_000_000) : nil
        }
        let times = ["", "1600000000", "1700000001", "2023-11-14T22:13:19Z"]
        let rows = (1...40).map { "\(tokenText($0)),\(times[$0 / 2 % 4])\n" }
        try bench.fanfare.folder.write("list.csv", "token,registered\n" + rows.joined())
        bench.books.expected = [.accepted: 20, .rejected: 20]
        try bench.send(to: 1...40, csv)
        let dead = Set(try bench.fanfare.folder.lines("dead.txt").map(String.init))
        let older = stride(from: 2, through: 40, by: 2).filter { $0 / 2 % 4 != 2 }
        expectSame(dead, Set(older.map(tokenText)))
      }),
    FaultRow(
      46, "410 ExpiredToken", "Lists the device token as dead",
      .program(.exactlyOnce) { bench in
        bench.answer { $0.token == 7 ? .reject(.expiredToken) : nil }
        let rows = (1...20).map { "\(tokenText($0))\n" }
        try bench.fanfare.folder.write("list.csv", "token\n" + rows.joined())
        bench.books.expected = [.accepted: 19, .rejected: 1]
        try bench.send(to: 1...20, csv)
        #expect(try bench.fanfare.folder.text("dead.txt") == tokenText(7) + "\n")
      }),
    FaultRow(
      49, "A payload that one row makes too large", "Skips that row and sends to the others",
      .program(.exactlyOnce, fault: .elsewhere) { bench in
        let rows = (1...20).map { number in
          "\(tokenText(number)),\(String(repeating: "x", count: number == 7 ? 4096 : 9))\n"
        }
        try bench.fanfare.folder.write("list.csv", "token,name\n" + rows.joined())
        try bench.fanfare.folder.write("payload.json", #"{"aps":{"alert":"{{name}}"}}"#)
        bench.books.expected = [.accepted: 19, .skipped: 1]
        let result = try bench.send(to: 1...20, csv + " --payload payload.json")
        #expect(result.exitCode == 1)
      }),
    FaultRow(
      75, "A list of many chunks, as one that is too long for memory is",
      "Reads it a chunk at a time. That memory stays flat the benchmarks show, not this case",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        try bench.serve()
        try bench.send([bench.list("long.txt", tokenList(20_000))], to: 1..<20_001)
      }),
    FaultRow(
      76, "Device tokens that occur twice", "Sends to the first, and counts the others",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        try bench.serve()
        let odd = (1...1000).map { $0 % 10 == 0 ? "< \(tokenText($0).uppercased()) >\n" : "" }
        let sources = [
          try bench.list("a.txt", tokenList(1000)), try bench.list("b.txt", odd.joined()),
        ]
        let delivery = try bench.send(sources, to: 1..<1001)
        #expect(delivery.summary.recipients.duplicates == 100)
      }),
    FaultRow(
      77, "Lines that are no device token", "Tells them by line, and sends to the others",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        try bench.serve()
        let longLead = String(repeating: " ", count: 1_100_000) + tokenText(101)
        let bad = [
          "../../evil", "zz" + tokenText(1), "abc", "AAAA+/==", "0a 0", "<>", longLead, "\0\0",
        ]
        let text = "\u{FEFF}# a list\r\n" + tokenList(100) + bad.joined(separator: "\r\n") + "\n"
        let delivery = try bench.send([bench.list("a.txt", text)], to: 1..<101)
        #expect(delivery.summary.recipients.badLines == bad.count)
      }),
    FaultRow(
      78, "A list that changes between a run and its resumption",
      "Refuses to resume, unless forced; skips who is no longer in it, and says how many",
      .program(.exactlyOnce, "longer", fault: .elsewhere) { bench in
        try bench.send(3000, "--connections", "1", signal: SIGINT, atRequest: 300)
        try bench.fanfare.folder.write("list.txt", tokenList(3001))
        let requests = bench.books.witness.requests
        let refused = try bench.resume()
        #expect(refused.exitCode == 2 && refused.errors.contains("list.txt"))
        #expect(bench.books.witness.requests == requests)
        bench.books.recipients.insert(tokenText(3001))
        try bench.resume("--force")
      },
      .program(.exactlyOnce, "shorter", fault: .elsewhere) { bench in
        bench.answer { $0.token > 90 ? .reject(.serviceUnavailable) : nil }
        bench.books.expected = [.accepted: 90, .skipped: 10]
        try bench.send(100)
        try bench.fanfare.folder.write("list.txt", tokenList(90))
        let last = try bench.resume("--now", "--force")
        #expect(last.errors.contains("10 recipients are no longer in the list"))
        #expect(try bench.resume().exitCode == 0)
      }),
    FaultRow(
      79, "A pipe that breaks off in mid-line",
      "Sends to whole lines; half a line is a bad one and makes exit code 1."
        + " That whole lines are missing nobody can see",
      .program(.exactlyOnce, fault: .elsewhere) { bench in
        let writer = try bench.dyingWriter("list.pipe", tokenList(500) + "0a1b2c3")
        let result = try bench.send(to: 1...500, "--tokens list.pipe " + signIn)
        #expect(result.exitCode == 1)
        #expect(try writer.finish().exitCode == nil, "nobody killed it")
      }),
    FaultRow(
      84, "A notification that expires while its push waits", "Skips it, and says that it is late",
      .run(.exactlyOnce) { bench in
        try bench.serve { $0.token == 2 ? .reject(.serviceUnavailable) : nil }
        bench.run.retryRules = .quick
        bench.run.retryRules.retries = 3
        bench.run.expiresAt = 1
        bench.books.expected = [.accepted: 9, .skipped: 1]
        #expect(try bench.send(10).summary.expired == 1)
      }),
    FaultRow(
      100, "A list that is cut short or written to while it is read",
      "Sends to the whole lines that it has read, says so at the end, and exits with 4; resume goes on"
        + " once the list is what it was",
      .program(.exactlyOnce, "cut", fault: .elsewhere) { bench in
        let path = bench.fanfare.folder.file("list.txt")
        bench.answer { attempt in
          if attempt.push.number == 1 { truncate(path, 65 * 3000 + 32) }
          return nil
        }
        let first = try bench.send(30_000)
        #expect(first.exitCode == 4 && first.errors.contains("written to while it was read"))
        let told = try JSON(text: first.output)
        #expect(told["changedList"]?.string == "list.txt", "\(first.output)")
        #expect(told["unread"]?["recipients"]?.int ?? 0 > 0, "\(first.output)")
        try bench.fanfare.folder.write("list.txt", tokenList(30_000))
        #expect(try bench.resume("--force").exitCode == 0)
      },
      .program(.exactlyOnce, "written to", fault: .elsewhere) { bench in
        let path = bench.fanfare.folder.file("list.txt")
        bench.answer { attempt in
          if attempt.push.number == 1 { utimes(path, nil) }
          return nil
        }
        let result = try bench.send(30_000)
        #expect(result.exitCode == 4 && result.errors.contains("written to while it was read"))
      }),
    FaultRow(
      101, "A read error in the middle of a row", "Takes none of its lines for a row, and says so",
      omitted: "a list that fails half way needs a device of its own; `LineReaderTests` shows it"),
    FaultRow(
      102, "Standard input whose copy fills the disk",
      "Gives the copy up, goes on, and says that the run cannot be resumed",
      omitted: "it takes a disk of its own; `FullDiskTests` shows it"),
  ]

  private static let signIn = "--bundle-id com.example.shop " + credentialLine
  private static let csv = "--tokens list.csv --dead-tokens dead.txt " + signIn
}

/// The options that sign in.
private let credentialLine = SendingSupport.credentials.joined(separator: " ")

extension ProgramBench {
  /// Makes a named pipe, and starts a program that writes a text into it and is killed then.
  fileprivate func dyingWriter(_ name: String, _ text: String) throws -> Program {
    let folder = fanfare.folder
    try #require(mkfifo(folder.file(name), 0o600) == 0)
    try folder.write("text", text)
    let line = "exec 3>\(name); cat text >&3; kill -KILL $$"
    return try Program(path: requirePath(of: "bash"), ["-c", line], in: folder)
  }
}

extension RunBench {
  /// A list in a file of its own.
  func list(_ name: String, _ text: String) throws -> RecipientSource {
    .file(try folder.write(name, text))
  }
}
