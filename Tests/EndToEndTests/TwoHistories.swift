import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

/// The same folder and the same server, with a history in a file and one in PostgreSQL.
struct Histories {
  let fanfare: Fanfare
  let server: Server
  let database: PostgresDatabase

  /// Where they are: the file first.
  var places: [String] { [fanfare.folder.file("history.sqlite"), database.address] }

  init(_ fanfare: Fanfare) throws {
    self.fanfare = fanfare
    database = try PostgresDatabase()
    let deferring = firstAttempts { push in
      push.token.number == 9 ? .reject(.serviceUnavailable) : nil
    }
    var configuration = EmulatorConfiguration()
    configuration.answer = { push in
      push.token.number == 3
        ? .reject(.unregistered, timestamp: 1_700_000_000_000) : deferring(push)
    }
    server = try Server(fanfare, configuration)
  }

  /// A list with a push that is refused and a row that is skipped; one push; one that is deferred.
  func sendThree() throws {
    let rows = (1...5).map { "\(tokenText($0)),Guest \($0),\($0 == 5 ? "many" : "\($0)")" }
    try fanfare.folder.write("list.csv", (["token,name,unread"] + rows).joined(separator: "\n"))
    try fanfare.folder.write(
      "payload.json", #"{"aps": {"alert": "Hello {{name}}", "badge": "{{unread|number}}"}}"#)
    let send = ["send", "--bundle-id", "com.example.app"]
    let list = ["--tokens", "list.csv", "--columns", "name", "--payload", "payload.json"]
    try expectSame(send + list, signsIn: true, exitCode: 1)
    let one = ["--to", tokenText(1), "--title", "Hi", "--collapse-id", "one"]
    try expectSame(send + one, signsIn: true, exitCode: 0)
    let deferred = ["--to", tokenText(8), "--to", tokenText(9), "--title", "Later"]
    try expectSame(send + deferred, signsIn: true, exitCode: 4)
  }

  /// Runs a command over each of them, and fails unless both say the same.
  ///
  /// - Parameters:
  ///   - signsIn: whether it sends.
  ///   - part: what has to be the same of standard output.
  func expectSame(
    _ words: [String], signsIn: Bool = false, exitCode: Int32,
    sourceLocation: SourceLocation = #_sourceLocation, part: (String) -> String = { $0 }
  ) throws {
    let said = try places.map { place in
      let words = try words.map { (word) in try meaning(of: word, place) }
      let needsPlace = signsIn || words[0] == "resume" || words.contains("resend")
      let result = try fanfare.run(
        words + (needsPlace ? server.place + credentials : []),
        environment: ["FANFARE_HISTORY": place])
      #expect(
        result.exitCode == exitCode, "\(words): \(result.errors)", sourceLocation: sourceLocation)
      return neutral(part(result.output), place) + "\n" + neutral(result.errors, place)
    }
    #expect(said[0] == said[1], "\(words)", sourceLocation: sourceLocation)
  }

  /// Words that stand for what is not the same in both.
  private func meaning(of word: String, _ place: String) throws -> String {
    switch word {
    case "ID":
      let words = ["history", "list", "--reason", "Unregistered", "--json", "--limit", "1"]
      return try #require(try JSON(text: answer(words, place))["apnsID"]?.string)
    case "CHANNEL":
      let ids = try answer(["channel", "list", "--known", "--ids"], place)
      return try #require(ids.split(separator: "\n").first.map(String.init))
    default: return word
    }
  }

  private func answer(_ words: [String], _ place: String) throws -> String {
    try fanfare.run(words, environment: ["FANFARE_HISTORY": place]).output
  }
}

func withHistories(_ body: (Histories) throws -> Void) throws {
  try withFanfare { try body(Histories($0)) }
}

/// An answer for the first attempt of each push; what comes later is accepted.
func firstAttempts(
  _ answer: @escaping @Sendable (IncomingPush) -> EmulatorAnswer?
) -> @Sendable (IncomingPush) -> EmulatorAnswer? {
  let seen = SeenPushes()
  return { push in seen.isNew(push.apnsID) ? answer(push) : nil }
}

private final class SeenPushes: Sendable {
  private let ids = Mutex<Set<String>>([])

  func isNew(_ id: String) -> Bool { ids.withLock { $0.insert(id).inserted } }
}

/// A text without what differs between two histories of the same sends: where they are, IDs, times,
/// speeds and latencies.
private func neutral(_ text: String, _ place: String) -> String {
  text.replacing(place, with: "HISTORY")
    .replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/, with: "ID")
    .replacing(/[0-9A-Za-z+\/]{22}==/, with: "CHANNEL")
    .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
    // The digits of a fraction can look like a time.
    .replacing(/\d+\.\d{5,}/, with: "N")
    .replacing(/1[67]\d{11}(?!\d)/, with: "TIME")
    .replacing(/[\d.,]+ (ms|s|pushes\/s)\b/, with: "N")
    .replacing(/%([ ]+[\d.]+){1,3}/, with: "% N")
    .replacing(/\d+\.\d+(?![%\d])/, with: "N")
    .replacing(/; [^;]+ (freed|space)\./, with: "; SPACE.")
    .replacing(/"(bytes|space)":[^,}]+/, with: "SPACE")
    .replacing(/[ ]+/, with: " ")
}
