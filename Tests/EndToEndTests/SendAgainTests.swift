import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare send --again")
struct SendAgainTests {
  /// A server that is watched, and the words of a first run to it.
  private struct Bench {
    let fanfare: Fanfare
    let witness = Witness()
    let server: Server

    init(_ fanfare: Fanfare) throws {
      self.fanfare = fanfare
      server = try Server(fanfare, witness.configuration())
      try fanfare.folder.write("p.json", #"{"aps": {"alert": "One"}}"#)
    }

    /// Sends the payload of p.json.
    func send(_ words: [String], input: Program.Input = .nothing) throws {
      let result = try fanfare.run(
        ["send", "--bundle-id", "com.example.app", "--payload", "p.json"] + words + server.place
          + credentials, input: input)
      #expect(result.exitCode == 0, "\(result.errors)")
    }

    func again(_ words: String..., place: String? = nil) throws -> Program.Result {
      try fanfare.run(["send", "--again" + (place.map { "=\($0)" } ?? "")] + words)
    }

    func body(_ token: Int) -> String {
      String(decoding: witness.sights[tokenText(token)]?.body ?? [], as: UTF8.self)
    }

    func ids(_ token: Int) -> [String] { witness.sights[tokenText(token)]?.ids ?? [] }
  }

  @Test("repeats the last run with new apns-ids, its files as they are, and options of its own")
  func last() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try bench.send(["--to", tokenText(1), "--to", tokenText(2), "--priority", "5"])
      let same = try bench.again()
      #expect(same.exitCode == 0, "\(same.errors)")
      #expect(same.errors.hasPrefix("Repeats run 1 of "))
      #expect(same.errors.contains("to 2 device tokens.\n") && !same.errors.contains("changed"))
      #expect(bench.ids(1).count == 2 && Set(bench.ids(1)).count == 2)
      try fanfare.folder.write("p.json", #"{"aps": {"alert": "Two"}}"#)
      let changed = try bench.again("--title", "News", "--to", tokenText(3))
      #expect(changed.exitCode == 0, "\(changed.errors)")
      #expect(changed.errors.hasPrefix("Repeats run 2 of "))
      #expect(changed.errors.contains("p.json has changed since run 2.\n"))
      #expect(changed.errors.contains("; new: --title, --to.\n"))
      #expect(bench.body(3).contains("Two") && bench.body(3).contains("News"))
      #expect(bench.ids(1).count == 2 && bench.ids(3).count == 1)
      let shown = try JSON(text: try fanfare.run(["history", "show", "3", "--json"]).output)
      #expect(shown["kind"] == "send" && shown["headers"]?["apns-priority"] == "5")
      // What was replaced stays replaced.
      let quiet = try bench.again("--quiet")
      #expect(quiet.exitCode == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
      #expect(bench.body(3).contains("News") && bench.ids(3).count == 2)
    }
  }

  @Test("asks no other list for the columns of its own")
  func columns() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try fanfare.folder.write("a.csv", "token,name\n\(tokenText(1)),Ada\n")
      try fanfare.folder.write("b.txt", tokenText(2) + "\n")
      try bench.send(["--tokens", "a.csv", "--columns", "name"])
      let other = try bench.again("--tokens", "b.txt")
      #expect(other.exitCode == 0 && bench.ids(2).count == 1, "\(other.errors)")
    }
  }

  @Test("repeats a run by its number, or one push, and shows with --dry-run what it would send")
  func places() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try fanfare.folder.write("list.txt", tokenList(5))
      try bench.send(["--tokens", "list.txt", "--shard", "1/1"])
      try bench.send(["--to", tokenText(9)])
      let dry = try bench.again("--dry-run", "--json", place: "1")
      #expect(dry.exitCode == 0 && dry.output.split(separator: "\n").count == 5)
      let id = try #require(bench.ids(4).first)
      let one = try bench.again(place: id)
      #expect(one.exitCode == 0, "\(one.errors)")
      #expect(one.errors.hasPrefix("Repeats push \(id) of run 1 of "))
      #expect(bench.ids(4).count == 2 && bench.ids(5).count == 1)
      try fanfare.folder.write("list.txt", tokenList(6))
      let longer = try bench.again("--limit", "6", place: "1")
      #expect(longer.errors.contains("list.txt has changed since run 1.\n"), "\(longer.errors)")
      #expect(bench.ids(6).count == 1 && bench.ids(9).count == 1)
    }
  }

  @Test("sends to a device by its name, as it is now, or as it was once the name is gone")
  func device() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try bench.send(["--to", tokenText(1)])
      let added = try fanfare.run(["device", "add", "my-phone", tokenText(2)])
      #expect(added.exitCode == 0, "\(added.errors)")
      #expect(try bench.again("--to", "my-phone").exitCode == 0)
      #expect(try fanfare.run(["device", "add", "my-phone", tokenText(4)]).exitCode == 0)
      let moved = try bench.again()
      #expect(moved.errors.contains(", to my-phone.\n"), "\(moved.errors)")
      #expect(moved.errors.contains("my-phone has changed since run 2.\n"))
      #expect(try fanfare.run(["device", "remove", "my-phone"]).exitCode == 0)
      let same = try bench.again()
      #expect(same.exitCode == 0 && same.errors.contains("Repeats run 3 of "), "\(same.errors)")
      let other = ["device", "add", "lab", tokenText(3), "--bundle-id", "com.example.lab"]
      #expect(try fanfare.run(other).exitCode == 0)
      let dry = try bench.again("--to", "lab", "--dry-run", "--json")
      #expect(dry.output.contains(#""apns-topic":"com.example.lab""#), "\(dry.output)")
      #expect(try bench.again("--json=none").exitCode == 2)
      #expect(bench.ids(1).count == 1 && bench.ids(2).count == 1 && bench.ids(4).count == 2)
    }
  }

  @Test("finds the files of a run from another folder")
  func otherFolder() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try fanfare.folder.write("list.txt", tokenList(2))
      try bench.send(["--tokens", "list.txt"])
      try fanfare.folder.makeFolder("inner")
      let state = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      let inner = Fanfare(folder: fanfare.folder.folder("inner"))
      let result = try inner.run(["send", "--again", "--history", state])
      #expect(result.exitCode == 0 && bench.ids(2).count == 2, "\(result.errors)")
    }
  }

  @Test("refuses what cannot be read again, unless an option replaces it")
  func gone() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      let list = try fanfare.folder.write("list.txt", tokenList(2))
      try bench.send(["--tokens", "-"], input: .file(list))
      let input = try bench.again()
      #expect(input.exitCode == 2 && input.errors.contains("read --tokens from standard input"))
      #expect(input.errors.contains("--tokens FILE") && input.errors.contains("--to TOKEN"))
      #expect(try bench.again("--to", tokenText(1)).exitCode == 0)
      try bench.send(["--tokens", "list.txt"])
      for (name, fix) in [
        ("list.txt", "--tokens FILE or --to TOKEN"), ("p.json", "--payload FILE"),
      ] {
        let text = try fanfare.folder.text(name)
        try FileManager.default.removeItem(atPath: fanfare.folder.file(name))
        let refused = try bench.again()
        #expect(refused.exitCode == 2 && refused.errors.contains("\(name), which run 3 read"))
        #expect(refused.errors.contains("is gone.") && refused.errors.contains(fix))
        try fanfare.folder.write(name, text)
      }
      #expect(try bench.again().exitCode == 0)
    }
  }

  @Test("refuses a push whose payload a row filled, and says what sends it as it was")
  func row() throws {
    try withFanfare { fanfare in
      let bench = try Bench(fanfare)
      try fanfare.folder.write("p.json", #"{"aps": {"alert": "Hi {{name|default('you')}}"}}"#)
      try fanfare.folder.write("vip.csv", "token,name\n\(tokenText(1)),Ada\n\(tokenText(2)),Bo\n")
      try bench.send(["--tokens", "vip.csv"])
      let id = try #require(bench.ids(1).first)
      let refused = try bench.again(place: id)
      #expect(refused.exitCode == 2 && refused.errors.contains("'fanfare history resend \(id)'"))
      #expect(try bench.again().exitCode == 0 && bench.body(1).contains("Hi Ada"))
      #expect(try bench.again("--var", "name=Eve", place: id).exitCode == 0)
      #expect(bench.body(1).contains("Hi Eve") && bench.ids(2).count == 2)
    }
  }

  @Test("repeats neither scenarios nor resends, and says what does")
  func otherKinds() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("s.json5", ScenarioText.twoSteps(wait: "1ms"))
      #expect(try fanfare.run(["run", "s.json5"]).exitCode == 0)
      let none = try fanfare.run(["send", "--again"])
      #expect(none.exitCode == 2 && none.errors.contains("no run of 'fanfare send'"))
      let step = try fanfare.run(["send", "--again=2"])
      #expect(step.exitCode == 2 && step.errors.contains("Run 2 is step 2 of the scenario 'A'"))
      #expect(step.errors.contains("'fanfare run FILE --from 2'"))
      let bench = try Bench(fanfare)
      try bench.send(["--to", tokenText(1)])
      let id = try #require(bench.ids(1).first)
      #expect(try fanfare.run(["history", "resend", id]).exitCode == 0)
      let resend = try bench.again(place: "4")
      #expect(resend.exitCode == 2 && resend.errors.contains("--again=3"))
      #expect(try bench.again().errors.hasPrefix("Repeats run 3 of "))
    }
  }

  @Test("needs a history, and its value behind '='")
  func usage() throws {
    try withFanfare { fanfare in
      let rows: [(words: [String], says: String)] = [
        (["--again"], "there is no history yet"), (["--again", "1"], "Unexpected argument '1'"),
        (["--again=x"], "the number of a run, 'last' for the newest, or the apns-id of a push"),
        (["--again", "--no-history"], "was not recorded"),
      ]
      for row in rows {
        let result = try fanfare.run(["send"] + row.words)
        #expect(result.exitCode == 2 && result.errors.contains(row.says), "\(result.errors)")
      }
    }
  }
}
