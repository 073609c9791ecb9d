import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A list from a pipe", .timeLimit(.minutes(15)))
struct SpoolingTests {
  /// Sends to what comes through pipes, and kills the program once a push has arrived and a copy has
  /// so many bytes.
  private func kill(
    _ server: Server, _ arrived: DispatchSemaphore, once copy: String, has size: Int,
    _ words: String...
  ) throws {
    let program = try server.fanfare.start(
      ["send", "--bundle-id", "a.b", "--title", "Hi", "--connections", "1", "--quiet"]
        + server.place + credentials + words)
    arrived.wait()
    let path = server.fanfare.folder.file(".local/state/fanfare/history.sqlite.run-1.\(copy)")
    let limit = Date(timeIntervalSinceNow: 60)
    while fileSize(path) != size, Date() < limit { sched_yield() }
    #expect(fileSize(path) == size)
    program.send(SIGKILL)
    #expect(try program.finish().exitCode == nil)
  }

  private func fileSize(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// A server that tells when a push arrives, and never answers that one.
  private func server(
    _ fanfare: Fanfare, silentAt push: Int
  ) throws -> (Server, arrived: DispatchSemaphore) {
    let arrived = DispatchSemaphore(value: 0)
    let count = Counter()
    var configuration = EmulatorConfiguration()
    configuration.answer = { _ in
      guard count.next() == push else { return nil }
      arrived.signal()
      return .swallow
    }
    return (try Server(fanfare, configuration), arrived)
  }

  private func resume(_ fanfare: Fanfare, _ server: Server, _ words: String...) throws
    -> (summary: JSON, Program.Result)
  {
    let result = try fanfare.run(["resume", "--json"] + server.place + credentials + words)
    return (try JSON(text: result.output), result)
  }

  private func file(_ copy: String) -> String { "history.sqlite.run-1.\(copy)" }

  private func copies(_ fanfare: Fanfare) throws -> [String] {
    let folder = fanfare.folder.file(".local/state/fanfare")
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.contains(".list-") || $0.contains(".suppress-") }.sorted()
  }

  @Test("that was read to its end is all there for resume, and nobody else gets a push")
  func whole() throws {
    try withFanfare { fanfare in
      let (server, arrived) = try server(fanfare, silentAt: 700)
      let list = try Pipe(fanfare, "pipe", tokenList(2000))
      let nobody = try Pipe(fanfare, "nobody", tokenList(10))
      try kill(
        server, arrived, once: "list-1", has: 130_000, "--tokens", "pipe", "--suppress", "nobody")
      #expect(
        try copies(fanfare)
          == ["list-1", "list-1.print", "suppress-1", "suppress-1.print"].map(file))
      let (summary, result) = try resume(fanfare, server, "--results", "r.jsonl")
      #expect(result.exitCode == 0 && summary["accepted"]?.int == 1990)
      #expect(summary["suppressed"]?.int == 10)
      expectSum(of: summary)
      let lines = try fanfare.folder.lines("r.jsonl")
      #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(#""list":"pipe""#) })
      #expect(try copies(fanfare) == [])
      withExtendedLifetime((list, nobody)) {}
    }
  }

  @Test("that was cut off is sent to as far as it is known, and resume says that the rest is lost")
  func cutOff() throws {
    try withFanfare { fanfare in
      let (server, arrived) = try server(fanfare, silentAt: 300)
      let list = try Pipe(fanfare, "pipe", tokenList(700) + device("0a1b"), isClosed: false)
      try kill(server, arrived, once: "list-1.part", has: 45_564, "--tokens", "pipe")
      #expect(try copies(fanfare) == [file("list-1.part")])
      let (summary, result) = try resume(fanfare, server)
      #expect(result.exitCode == 4 && summary["accepted"]?.int == 700)
      #expect(result.errors.contains("pipe was not read to its end: 700 lines are known."))
      expectSum(of: summary)
      #expect(try copies(fanfare) == [])
      #expect(try fanfare.run(["resume"]).errors.contains("No run in the history"))
      let words = "an unknown number of recipients after line 700 of pipe"
      #expect(summary["unread"]?["line"]?.int == 700)
      let again = try fanfare.run(["resume", "1"])
      #expect(again.exitCode == 4 && again.errors.contains("It never read \(words). Send to those"))
      let show = try fanfare.run(["history", "show", "1"])
      #expect(show.output.contains(" \(words); this run cannot reach them\n"), "\(show.output)")
      #expect(try fanfare.run(["history", "stats"]).output.contains("Not read: \(words)."))
      let page = try fanfare.run(["history", "export", "--html", "-"])
      #expect(page.output.contains("Not read: \(words)."))
      let rows = try fanfare.run(["history", "list"]).output
      #expect(rows.contains("  not read: \(words)\n"), "\(rows)")
      let json = try JSON(text: try fanfare.run(["history", "list", "--json"]).output)
      #expect(json["unread"]?["line"]?.int == 700 && json["state"] == "finished")
      withExtendedLifetime(list) {}
    }
  }

  @Test("whose copy has lost its end is sent to as far as it is known, and resume ends")
  func shortened() throws {
    try withFanfare { fanfare in
      let (server, arrived) = try server(fanfare, silentAt: 300)
      let list = try Pipe(fanfare, "pipe", tokenList(2000))
      try kill(server, arrived, once: "list-1", has: 130_000, "--tokens", "pipe")
      let path = fanfare.folder.file(".local/state/fanfare/\(file("list-1"))")
      #expect(truncate(path, 65 * 1500 + 7) == 0)
      let (summary, result) = try resume(fanfare, server)
      #expect(result.exitCode == 4 && summary["accepted"]?.int == 1500)
      #expect(result.errors.contains("pipe was not read to its end: 1,500 lines are known."))
      expectSum(of: summary)
      #expect(try copies(fanfare) == [])
      #expect(try fanfare.run(["resume"]).errors.contains("No run in the history"))
      withExtendedLifetime(list) {}
    }
  }

  @Test(
    "is kept when its run is stopped: before the end of the list, or with a push in doubt",
    arguments: [false, true])
  func stopped(isAllRead: Bool) throws {
    try withFanfare { fanfare in
      let (arrived, count) = (DispatchSemaphore(value: 0), Counter())
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in
        guard count.next() == 300 else { return nil }
        arrived.signal()
        return isAllRead ? .swallow : nil
      }
      let server = try Server(fanfare, configuration)
      let list = try Pipe(fanfare, "pipe", tokenList(300), isClosed: isAllRead)
      let program = try fanfare.start(server.words + ["--tokens", "pipe", "--timeout", "500ms"])
      arrived.wait()
      program.send(SIGINT)
      let result = try program.finish()
      #expect(result.exitCode == 130 && result.output.contains("fanfare resume 1"), "\(result)")
      #expect(
        try copies(fanfare)
          == (isAllRead ? ["list-1", "list-1.print"] : ["list-1.part"]).map(file))
      let (summary, last) = try resume(fanfare, server)
      #expect(last.exitCode == (isAllRead ? 0 : 4) && summary["accepted"]?.int == 300)
      #expect(try copies(fanfare) == [])
      withExtendedLifetime(list) {}
    }
  }

  @Test("is kept while pushes are deferred, and gone with the last of them")
  func deferred() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      let count = Counter()
      configuration.answer = { _ in
        count.next() == 1 ? .reject(.serviceUnavailable) : nil
      }
      let server = try Server(fanfare, configuration)
      try fanfare.folder.write("list.txt", tokenList(3))
      let first = try fanfare.run(
        ["send", "--bundle-id", "a.b", "--title", "Hi", "--tokens", "-"] + server.place
          + credentials, input: .file(fanfare.folder.file("list.txt")))
      #expect(first.exitCode == 4)
      let lines = first.output.split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("deferred ") && $0.contains(" 1, due from ") })
      #expect(
        lines.contains { $0.hasPrefix("go on with ") && $0.hasSuffix(" fanfare resume 1") },
        "\(first.output)")
      #expect(try copies(fanfare) == ["list-1", "list-1.print"].map(file))
      let (summary, _) = try resume(fanfare, server, "--now", "--results", "r.jsonl")
      #expect(summary["accepted"]?.int == 3)
      #expect(try fanfare.folder.text("r.jsonl").contains(#""list":"-","line":1"#))
      #expect(try copies(fanfare) == [])
    }
  }

  @Test("whose copy is gone cannot be resumed, and it is said why")
  func lost() throws {
    try withFanfare { fanfare in
      let (server, arrived) = try server(fanfare, silentAt: 1)
      let list = try Pipe(fanfare, "pipe", tokenList(700))
      try kill(server, arrived, once: "list-1", has: 45_500, "--tokens", "pipe")
      for name in try copies(fanfare) {
        try FileManager.default.removeItem(
          atPath: fanfare.folder.file(".local/state/fanfare/\(name)"))
      }
      let result = try fanfare.run(["resume"] + server.place + credentials)
      #expect(result.exitCode == 2 && result.errors.contains("pipe could be read only once"))
      withExtendedLifetime(list) {}
    }
  }

  @Test("is not copied without a history, nor in a dry run")
  func nothingKept() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(3))
      for option in ["--no-history", "--dry-run"] {
        let result = try fanfare.send(
          "--tokens", "-", option, input: .file(fanfare.folder.file("list.txt")))
        #expect(result.exitCode == 0)
      }
      #expect(!FileManager.default.fileExists(atPath: fanfare.folder.file(".local")))
    }
  }
}

/// A named pipe with a text in it.
private final class Pipe {
  private let descriptor: Int32

  /// - Parameter isClosed: whether the text ends there, once somebody has read it; else only with
  ///   this object.
  init(_ fanfare: Fanfare, _ name: String, _ text: String, isClosed: Bool = true) throws {
    let path = fanfare.folder.file(name)
    try #require(mkfifo(path, 0o600) == 0)
    descriptor = isClosed ? -1 : open(path, O_RDWR | O_CLOEXEC)
    Thread.detachNewThread {
      // Waits until somebody reads.
      let writer = open(path, O_WRONLY | O_CLOEXEC)
      shrinkPipe(writer)
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        bytes = bytes.dropFirst(count)
      }
      close(writer)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Counts on any thread.
private final class Counter: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var number = 0

  func next() -> Int {
    lock.withLock {
      number += 1
      return number
    }
  }
}
