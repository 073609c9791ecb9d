import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("A list whose format was not said")
struct ListFormatHintTests {
  private static let table = "# beta\ntoken,name\n\(tokenText(1)),Ada\n\(tokenText(2)),Bob\n"
  private static let objects = #"{"token":"\#(tokenText(1))","name":"Ada"}"# + "\n"

  static let lists: [(file: String, text: String, says: String)] = [
    ("-", table, "Give its format: --tokens-format csv."),
    ("-", table.replacing(",", with: "\t"), "Give its format: --tokens-format csv."),
    ("-", objects, "Give its format: --tokens-format jsonl."),
    ("l.json", objects, "Give its format: --tokens-format jsonl."),
    ("l", table, "Give its format: --tokens-format csv."),
    ("l.txt", table, "Rename it to .csv."), ("l.txt", objects, "Rename it to .jsonl."),
  ]

  @Test("gets one hint in place of a bad line per row", arguments: lists)
  func hint(_ row: (file: String, text: String, says: String)) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("input", row.text)
      if row.file != "-" { try fanfare.folder.write(row.file, row.text) }
      let input = row.file == "-" ? Program.Input.file(fanfare.folder.file("input")) : .nothing
      let send = ["send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi"]
      let pipe = ["-c", "cat input | \(Fanfare.path) \"$@\"", "sh"]
      for words in [send, send + ["--dry-run"], ["check"], pipe + send] {
        let all = words + ["--tokens", row.file]
        let result =
          words.first == "-c"
          ? try run("sh", all, in: fanfare.folder) : try fanfare.run(all, input: input)
        let told = result.errors + result.output
        #expect(result.exitCode == 2 && told.contains(row.says), "\(words): \(told)")
        #expect(!told.contains("hexadecimal"), "\(told)")
        #expect(!told.contains(tokenText(1)))
      }
    }
  }

  @Test("is read all the same where it may be one of bare device tokens")
  func bare() throws {
    try withFanfare { fanfare in
      for first in ["token", "name;city", "beta,token"] {
        let list = try fanfare.folder.write("list", first + "\n" + tokenText(1) + "\n")
        let result = try fanfare.send("--tokens", "-", input: .file(list))
        let isTable = first == "beta,token"
        #expect(result.exitCode == (isTable ? 2 : 1), "\(result.errors)")
        #expect(result.output.contains("accepted     1") == !isTable, "\(result.output)")
      }
    }
  }
}
