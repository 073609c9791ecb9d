import APNS
import Delivery
import Foundation
import PushModel
import Reporting
import Settings
import TestSupport
import Testing

@testable import Runs

@Suite("A file of results")
struct ResultFileTests {
  @Test("holds each batch as soon as it was written", arguments: [("r.jsonl", 1), ("r.csv", 2)])
  func batches(name: String, lines: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder.file(name)
      var file = try ResultFile(path, context())
      #expect(try !file.begin(continues: false))
      let batch = results([(.accepted, .good)])
      let id = report(batch).apnsID
      for count in 0...1 {
        file.write(batch, apnsID: id)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == lines + count)
      }
      #expect(file.failure == nil)
    }
  }

  @Test("of a scenario has its columns in the header row and in each line")
  func step() throws {
    try withTemporaryFolder { folder in
      var file = try ResultFile(
        folder.file("r.csv"), of: ResultStep(scenario: "Ride", number: 2), context())
      _ = try file.begin(continues: false)
      let batch = results([(.accepted, .good)])
      file.write(batch, apnsID: report(batch).apnsID)
      let rows = try folder.text("r.csv").split(whereSeparator: \.isNewline)
      #expect(rows[0].hasSuffix(",answeredAt,skippedFor,channel,scenario,step"))
      #expect(rows[1].hasSuffix(",Ride,2"))
    }
  }

  @Test("is as it was until it is begun, and empty then")
  func untouched() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("r.jsonl", "earlier\n")
      var file = try ResultFile(path, context())
      #expect(try folder.text("r.jsonl") == "earlier\n")
      #expect(try !file.begin(continues: false))
      #expect(try folder.text("r.jsonl").isEmpty)
    }
  }

  @Test(
    "is named for the next pass, unless it is a descriptor that the shell has opened, or no file")
  func continuable() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("r.jsonl", "")
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      for place in [path, "/dev/fd/\(descriptor)", "/dev/null", folder.path] {
        var settings = Settings()
        settings.results = Setting(place, .setting("--results"))
        let kept = RunOutputFiles(settings).continuable.paths
        #expect(kept == (place == path ? [place] : []), "\(place)")
      }
    }
  }

  /// What is in a file, and what stays of it.
  static let ends: [(text: String, kept: String)] = [
    ("", ""), ("{\"a\":1}\n", "{\"a\":1}\n"), ("{\"a\":1}\n{\"b", "{\"a\":1}\n"), ("{\"a", ""),
    ("{}\n" + String(repeating: "x", count: 200_000), "{}\n"),
    (String(repeating: "x", count: 65_536), ""),
  ]

  @Test("that is continued loses half a line, behind which nothing may be written", arguments: ends)
  func torn(_ row: (text: String, kept: String)) throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("r.jsonl", row.text)
      var file = try ResultFile(path, context())
      #expect(try file.begin(continues: true) == (row.text != row.kept))
      #expect(try folder.text("r.jsonl") == row.kept)
      let batch = results([(.accepted, .good)])
      file.write(batch, apnsID: report(batch).apnsID)
      let text = try folder.text("r.jsonl")
      #expect(text.hasPrefix(row.kept + "{\"sequence\":1,") && text.hasSuffix("}\n"))
    }
  }

  @Test("in CSV that is continued has one header row, even if that was torn")
  func tornHeader() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("r.csv", "sequence,li")
      for isTorn in [true, false] {
        var file = try ResultFile(path, context())
        #expect(try file.begin(continues: true) == isTorn)
        let batch = results([(.accepted, .good)])
        file.write(batch, apnsID: report(batch).apnsID)
      }
      let lines = try folder.text("r.csv").split(whereSeparator: \.isNewline)
      #expect(lines.count == 3 && lines[0].hasPrefix("sequence,list,line,"))
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("1,beta.txt,1,") })
    }
  }

  /// The columns of another version, or of other options.
  static let headers = ["sequence,list,line\r\n", "sequence,list\n1,a\n", "x", "\r\n"]

  @Test("in CSV is not continued below another header row, and stays as it is", arguments: headers)
  func otherColumns(_ text: String) throws {
    try withTemporaryFolder { folder in
      var file = try ResultFile(try folder.write("r.csv", text), context())
      expectFailure("has other columns than what would be added.") {
        try file.begin(continues: true)
      }
      #expect(try folder.text("r.csv") == text)
    }
  }

  @Test("in CSV is continued below its own header row, whatever ends that line")
  func otherLineEnds() throws {
    try withTemporaryFolder { folder in
      var file = try ResultFile(folder.file("r.csv"), context())
      _ = try file.begin(continues: false)
      let header = try folder.text("r.csv").replacing("\r\n", with: "\n")
      try folder.write("r.csv", header)
      #expect(try !file.begin(continues: true))
      #expect(try folder.text("r.csv") == header)
    }
  }

  @Test("in CSV, like that of dead tokens, runs nothing, steers nothing, and has a line per record")
  func guarded() throws {
    try withTemporaryFolder { folder in
      let batch = results([(.rejected, .dead)], list: "=cmd|\u{1b}[2J\u{202E}\n.csv")
      var file = try ResultFile(folder.file("r.csv"), context())
      var dead = try DeadTokenFile(folder.file("d.csv"))
      _ = (try file.begin(continues: false), try dead.begin(continues: false))
      file.write(batch, apnsID: report(batch).apnsID)
      dead.write(batch)
      for name in ["r.csv", "d.csv"] {
        let lines = try folder.text(name).split(whereSeparator: \.isNewline)
        #expect(lines.count == 2, "\(name)")
        #expect(lines.last?.contains(#",'=cmd|\u{1b}[2J\u{202e}\u{a}.csv,1"#) == true, "\(name)")
      }
    }
  }
}
