import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("What rows make of a template", .timeLimit(.minutes(15)))
struct KeepPayloadsTests {
  private static let table = """
    token;name;unread
    \(tokenText(1));Ada "the Countess";3
    \(tokenText(2));Zoë\\;12
    \(tokenText(3));;0

    """

  private static let order = #"""
    {"aps": {"alert": "Hi {{name|default('friend')}}", "badge": "{{unread|number}}"}}
    """#

  /// Sends the rows of a table to a server, which refuses them all once.
  private func send(
    _ fanfare: Fanfare, _ witness: Witness, _ words: [String], input: Program.Input = .nothing
  ) throws -> Server {
    let seen = SeenTokens()
    let configuration = witness.configuration { (push: IncomingPush) in
      seen.isNew(push.token.hex) ? .reject(.payloadTooLarge) : nil
    }
    let server = try Server(fanfare, configuration)
    try fanfare.folder.write("vip.csv", Self.table)
    try fanfare.folder.write("order.json", Self.order)
    let result = try fanfare.run(
      ["send", "--bundle-id", "com.example.shop", "--payload", "order.json"] + words
        + server.place + credentials, input: input)
    #expect(result.exitCode == 1, "\(result.errors)")
    return server
  }

  private func bodies(_ witness: Witness) -> [String: String] {
    witness.sights.mapValues { String(decoding: $0.body, as: UTF8.self) }
  }

  private func kept(_ fanfare: Fanfare, run: Int = 1) throws -> [String] {
    try SQLiteFile(fanfare.folder.file(".local/state/fanfare/history.sqlite")).texts(
      "SELECT CAST(payload AS TEXT) FROM payloads WHERE id >> 40 = \(run) ORDER BY id")
  }

  @Test("is kept as it was sent when that is asked for, and then needs no list to be sent again")
  func keptAsSent() throws {
    try withFanfare { fanfare in
      let witness = Witness()
      let server = try send(fanfare, witness, ["--tokens", "vip.csv", "--keep-payloads"])
      let sent = bodies(witness)
      #expect(sent[tokenText(2)] == #"{"aps":{"alert":"Hi Zoë\\","badge":12}}"#)
      #expect(try kept(fanfare) == (1...3).map { sent[tokenText($0)] })
      try FileManager.default.removeItem(atPath: fanfare.folder.file("vip.csv"))
      let again = try fanfare.run(["history", "resend", "1", "--json"])
      let summary = try JSON(text: again.output)
      expectSum(of: summary)
      #expect(again.exitCode == 0 && summary["accepted"] == 3)
      #expect(bodies(witness) == sent && server.emulator.requestCount == 6)
      #expect(try kept(fanfare, run: 2) == kept(fanfare))
    }
  }

  @Test("is made again of the list, byte for byte, where it was not kept")
  func madeAgain() throws {
    try withFanfare { fanfare in
      let witness = Witness()
      let server = try send(fanfare, witness, ["--tokens", "vip.csv"])
      let sent = bodies(witness)
      #expect(try kept(fanfare) == [])
      for (token, sight) in witness.sights {
        let id = try #require(sight.ids.first)
        let shown = try fanfare.run(["history", "show", id, "--json"])
        let payload = try JSON(text: shown.output)["request"]?["payload"]
        #expect(try payload == JSON(text: try #require(sent[token])))
      }
      let id = try #require(witness.sights[tokenText(2)]?.ids.first)
      for words in [[id], ["1", "--include-resent"]] {
        let result = try fanfare.run(["history", "resend"] + words)
        #expect(result.exitCode == 0, "\(result.errors) \(result.output)")
      }
      #expect(bodies(witness) == sent)
      // The list of a run that sends again is gone with its end, so its payloads are kept.
      #expect(try kept(fanfare, run: 3) == (1...3).map { sent[tokenText($0)] })
      #expect(server.emulator.requestCount == 7)
    }
  }

  @Test("is made again of a list that was named twice")
  func twice() throws {
    try withFanfare { fanfare in
      let witness = Witness()
      let words = ["--tokens", "vip.csv", "--tokens", "vip.csv", "--duplicates", "send"]
      let server = try send(fanfare, witness, words)
      let sent = bodies(witness)
      let database = try SQLiteFile(fanfare.folder.file(".local/state/fanfare/history.sqlite"))
      database.changeResults("UPDATE results SET outcome = 1; UPDATE progress SET rejected = 6")
      #expect(try fanfare.run(["history", "resend", "1"]).exitCode == 0)
      #expect(bodies(witness) == sent && server.emulator.requestCount == 12)
    }
  }

  @Test("that can be made no more is told before anything is sent", arguments: [true, false])
  func gone(isChanged: Bool) throws {
    try withFanfare { fanfare in
      let witness = Witness()
      let path = try fanfare.folder.write("in.csv", Self.table)
      let words =
        isChanged ? ["--tokens", "vip.csv"] : ["--tokens", "-", "--tokens-format", "csv"]
      let server = try send(fanfare, witness, words, input: .file(path))
      try fanfare.folder.write("vip.csv", Self.table + tokenText(4) + ";;1\n")
      let result = try fanfare.run(["history", "resend", "1"])
      #expect(result.exitCode == 2 && result.errors.contains("--keep-payloads"))
      let cause =
        isChanged ? "vip.csv: the list has changed" : "Standard input could be read only once"
      #expect(result.errors.contains(cause))
      #expect(server.emulator.requestCount == 3)
    }
  }

  @Test("of a skipped row never was: what to do is said, and why it was skipped")
  func skipped() throws {
    try withFanfare { fanfare in
      let witness = Witness()
      let server = try Server(fanfare, witness.configuration { (_: IncomingPush) in nil })
      try fanfare.folder.write("vip.csv", "token;unread\n\(tokenText(1));3\n\(tokenText(2));many\n")
      try fanfare.folder.write("order.json", Self.order)
      let sent = try fanfare.run(
        ["send", "--bundle-id", "a.b", "--payload", "order.json", "--tokens", "vip.csv"]
          + ["--keep-payloads"] + server.place + credentials)
      #expect(sent.exitCode == 1)
      let list = try fanfare.run(["history", "list", "--outcome", "skipped", "--json"]).output
      let id = try #require(try JSON(text: list)["apnsID"]?.string)
      let shown = try fanfare.run(["history", "show", id]).output
      #expect(shown.contains("none: the push was skipped") && !shown.contains("POST"))
      let told = try #require(sent.errors.range(of: "skipped: "))
      let message = sent.errors[told.upperBound...].prefix { $0 != "[" && $0 != "\n" }
      #expect(shown.contains(message), "\(shown)")
      let json = try JSON(text: try fanfare.run(["history", "show", id, "--json"]).output)
      #expect(json["request"]?["method"] == nil && json["skippedFor"]?.array?.count == 1)
      #expect(try fanfare.run(["history", "resend", "1", "--only", "skipped"]).exitCode == 1)
      let second = try fanfare.run(["history", "list", "2", "--json"]).output
      let copy = try #require(try JSON(text: second)["apnsID"]?.string)
      let pointer = try fanfare.run(["history", "show", copy]).output
      #expect(pointer.contains("already skipped in run 1: 'fanfare history show \(id)' shows why."))
      try fanfare.folder.write("vip.csv", "token;unread\n\(tokenText(3));4\n")
      let again = try fanfare.run(["history", "resend", "1", "--only", "skipped"])
      #expect(again.exitCode == 2 && again.errors.contains("Skipped rows have no payload"))
      #expect(!again.errors.contains("--keep-payloads"))
      let gone = try fanfare.run(["history", "show", id]).output
      #expect(gone.contains("Its row broke a rule and cannot be read again"))
    }
  }

  @Test("is sent by resume as it stands in the list of the run that sends again")
  func resumed() throws {
    try withFanfare { fanfare in
      let (witness, refusals) = (Witness(), Counter(2))
      let server = try Server(
        fanfare,
        witness.configuration { (push: IncomingPush) in
          push.token.number == 2 && refusals.take() ? .reject(.serviceUnavailable) : nil
        })
      try fanfare.folder.write("vip.csv", Self.table)
      try fanfare.folder.write("order.json", Self.order)
      let words = ["--bundle-id", "a.b", "--payload", "order.json", "--tokens", "vip.csv"]
      #expect(try fanfare.run(["send"] + words + server.place + credentials).exitCode == 4)
      let sent = bodies(witness)
      #expect(try fanfare.run(["history", "resend", "1"]).exitCode == 4)
      let last = try fanfare.run(["resume", "2", "--now", "--json"])
      expectSum(of: try JSON(text: last.output))
      #expect(last.exitCode == 0 && bodies(witness) == sent)
      #expect(try kept(fanfare, run: 2) == [try #require(sent[tokenText(2)])])
    }
  }

  @Test("stays kept when the run is resumed, which need not say so again")
  func keptByResume() throws {
    try withFanfare { fanfare in
      let (witness, refusals) = (Witness(), Counter(1))
      let server = try Server(
        fanfare,
        witness.configuration { (_: IncomingPush) in
          refusals.take() ? .reject(.serviceUnavailable) : nil
        })
      try fanfare.folder.write("vip.csv", Self.table)
      try fanfare.folder.write("order.json", #"{"aps":{"alert":"{{name}}"},"at":"{{now}}"}"#)
      let words = ["--bundle-id", "a.b", "--payload", "order.json", "--tokens", "vip.csv"]
      let sent = try fanfare.run(
        ["send", "--keep-payloads"] + words + server.place + credentials)
      #expect(sent.exitCode == 4)
      let database = try SQLiteFile(
        fanfare.folder.file(".local/state/fanfare/history.sqlite"))
      database.execute("UPDATE payloads SET payload = x'7b7d'")
      #expect(try fanfare.run(["resume", "--now"]).exitCode == 0)
      let known = bodies(witness)
      // One was sent again, and that is what is kept of it.
      let texts = try kept(fanfare)
      #expect(texts.count { $0 == "{}" } == 2)
      #expect(texts.allSatisfy { $0 == "{}" || known.values.contains($0) })
    }
  }

  @Test("cannot be kept without a history")
  func noHistory() throws {
    try withFanfare { fanfare in
      let result = try fanfare.send(
        "--to", tokenText(1), "--keep-payloads", "--no-history")
      #expect(result.exitCode == 2 && result.errors.contains("--keep-payloads"))
    }
  }
}

/// Tells which device tokens come for the first time.
private final class SeenTokens: Sendable {
  private let tokens = Mutex<Set<String>>([])

  func isNew(_ token: String) -> Bool { tokens.withLock { $0.insert(token).inserted } }
}

/// Counts down to zero.
private final class Counter: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  /// Whether there was one left.
  func take() -> Bool {
    left.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}
