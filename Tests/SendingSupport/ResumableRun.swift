import Foundation
import JSONText
package import PushEmulator
package import TestSupport
import Testing

/// A run that dies and is resumed, as both sides saw it.
package final class ResumableRun {
  package let count: Int
  package let fanfare: Fanfare
  private let connections: Int
  package let witness = Witness()
  package let executioner = Executioner()
  package let server: Server

  /// The results of each pass, which count because they are committed.
  package private(set) var passes: [[ResultRow]] = []
  /// The pushes that `resume` called in doubt, by number.
  package private(set) var inDoubt: Set<Int> = []

  package init(
    of count: Int, in fanfare: Fanfare, connections: Int = 1, streams: Int = 1000,
    answer: @escaping @Sendable (IncomingPush) -> EmulatorAnswer? = { _ in nil }
  ) throws {
    self.count = count
    self.fanfare = fanfare
    self.connections = connections
    try fanfare.folder.write("list.txt", tokenList(count))
    let executioner = executioner
    var configuration = witness.configuration { push in
      executioner.noteRequest()
      return answer(push)
    }
    configuration.maxConcurrentStreams = streams
    server = try Server(fanfare, configuration)
  }

  package var words: [String] {
    ["send", "--bundle-id", "com.example.app", "--title", "Hi", "--tokens", "list.txt"]
      + ["--connections", "\(connections)"] + server.place + credentials
  }

  /// The database in which the run is written down.
  package var history: SQLiteFile {
    get throws { try SQLiteFile(fanfare.folder.file(".local/state/fanfare/history.sqlite")) }
  }

  /// The device tokens whose push the history calls accepted.
  package var acceptedInHistory: Set<String> {
    get throws {
      Set(try history.texts("SELECT lower(hex(token)) FROM pushes WHERE outcome = 0"))
    }
  }

  /// Begins the run.
  package func send(
    _ words: [String] = [], signal: Int32 = SIGKILL, atRequest number: Int = 0
  ) throws -> Program.Result {
    try pass(self.words + words, signal, number)
  }

  /// Goes on with it.
  package func resume(
    _ words: String..., signal: Int32 = SIGKILL, atRequest number: Int = 0
  ) throws -> Program.Result {
    let result = try pass(["resume", "--verbose"] + words, signal, number)
    inDoubt.formUnion(Self.ranges(in: result.errors))
    return result
  }

  /// Goes on with it, killed at requests as long as so many still come, until it ends by itself.
  package func resume(killedAt requests: some Sequence<Int>) throws -> Program.Result {
    for request in requests {
      let result = try resume("--json", atRequest: request)
      if result.exitCode != nil { return result }
    }
    return try resume("--json")
  }

  private func pass(
    _ words: [String], _ signal: Int32, _ number: Int
  ) throws -> Program.Result {
    let name = "pass-\(passes.count).csv"
    let results = words.contains("--results") ? [] : ["--results", name]
    let result = try executioner.start(signal, atRequest: number) {
      try fanfare.start(words + results)
    }.finish()
    // A crash, or the end of its time limit, must not pass for the kill.
    #expect(result.exitCode != nil || executioner.hasStruck, "nobody killed it")
    passes.append(fileExists(name) ? try fanfare.folder.results(name) : [])
    return result
  }

  private func fileExists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: fanfare.folder.file(name))
  }

  /// The numbers in lines such as `  12-15` and `  12-15, or to the end of the lists`.
  package static func ranges(in errors: String) -> [Int] {
    errors.split(separator: "\n").flatMap { line -> [Int] in
      let ends = line.dropFirst(2).prefix { $0 != "," }.split(separator: "-").map { Int($0) }
      guard line.hasPrefix("  "), let first = ends.first ?? nil, let last = ends.last ?? nil else {
        return []
      }
      return Array(first...last)
    }
  }
}

// What must be so in the end.
extension ResumableRun {
  /// The requests beyond the first for a push.
  package var again: Int { witness.sights.values.reduce(0) { $0 + $1.ids.count - 1 } }

  /// Everybody who is in the list got the push.
  package func expectNobodyLost() { expectSame(witness.processed, Set((1...count).map(tokenText))) }

  /// Nobody's device was sent to twice.
  package func expectNobodyTwice() {
    expectSame(Set(witness.sights.filter { $1.ids.count > 1 }.keys), [])
  }

  /// A push has one apns-id, however often it is sent.
  package func expectSameIDs() {
    expectSame(Set(witness.sights.filter { Set($1.ids).count > 1 }.keys), [])
  }

  /// What was sent twice had been called in doubt, and no result was ever taken back.
  package func expectTwiceOnlyInDoubt() {
    let twice = Set(
      witness.sights.filter { $1.ids.count > 1 }.compactMap { Int($0.key, radix: 16) })
    expectSame(twice.subtracting(inDoubt), [])
    let done = passes.map { Set($0.filter { $0.outcome == "accepted" }.map(\.token)) }
    for (index, pass) in done.enumerated().dropFirst() {
      let again = done[..<index].map { $0.intersection(pass).count }
      #expect(again.allSatisfy { $0 == 0 })
    }
  }
}
