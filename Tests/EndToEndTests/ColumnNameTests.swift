import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The names of a list's columns")
struct ColumnNameTests {
  private static let what = ["--bundle-id", "a.b", "--title", "Hi {{name|default('friend')}}"]

  private func send(
    _ fanfare: Fanfare, _ list: String, _ words: [String] = []
  ) throws -> Program.Result {
    try fanfare.run(["send", "--env", "emulator", "--tokens", list] + Self.what + words)
  }

  @Test(
    "that differ from a variable by case, blanks or signs are told, as it falls back",
    arguments: ["Name", " NAME ", "na_me", "na me", "-name"])
  func near(_ column: String) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.csv", "token,\(column)\n\(tokenText(1)),Ada\n")
      try fanfare.folder.write(
        "list.jsonl", #"{"token": "\#(tokenText(1))", "\#(column)": "Ada"}"# + "\n")
      for list in ["list.csv", "list.jsonl"] {
        let sent = try send(fanfare, list)
        let isTrimmed = list.hasSuffix("csv") && column.hasPrefix(" ")
        let shown = isTrimmed ? "NAME" : column
        let told = "\(list) has a column '\(shown)', but not 'name'"
        #expect(sent.exitCode == 0 && sent.errors.contains(told), "\(sent.errors)")
        let strict = try send(fanfare, list, ["--strict"])
        #expect(strict.exitCode == 2 && strict.errors.contains(told), "\(strict.errors)")
        let checked = try fanfare.run(["check", list] + Self.what)
        #expect(checked.exitCode == 0, "\(checked)")
        #expect((checked.output + checked.errors).contains("[column-name]"), "\(checked)")
      }
    }
  }

  @Test(
    "are no matter where the variable has its own, or none is near", arguments: ["name", "nom"])
  func silent(_ column: String) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.csv", "token,Name2,\(column)\n\(tokenText(1)),x,Ada\n")
      let sent = try send(fanfare, "list.csv", ["--strict"])
      #expect(sent.exitCode == 0 && sent.errors == "", "\(sent.errors)")
    }
  }

  @Test("tell which rows a --var does not reach, when a run is repeated as well")
  func variable() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "vip.csv", "token,name\n\(tokenText(1)),Ada\n\(tokenText(2)),\n")
      let told = "Every row of vip.csv has its own 'name', so --var name is not used for it."
      let first = try send(fanfare, "vip.csv")
      #expect(first.exitCode == 0 && !first.errors.contains(told), "\(first.errors)")
      let again = try fanfare.run(["send", "--again", "--var", "name=Bob"])
      #expect(again.exitCode == 0 && again.errors.contains(told), "\(again.errors)")
      let bodies = try ["1", "2"].map { row in
        let sent = try fanfare.run(["history", "list", "2", "--json"]).output
        let id = try #require(
          try sent.split(separator: "\n").map { try JSON(text: $0) }
            .first { $0["sequence"]?.int == Int(row) }?["apnsID"]?.string)
        return try fanfare.run(["history", "show", id]).output
      }
      #expect(bodies[0].contains("Hi Ada") && bodies[1].contains("Hi friend"), "\(bodies)")
    }
  }
}
