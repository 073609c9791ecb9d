import CommandLineKit
import Reporting
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Runs

@Suite("A watched file")
struct WatchedFileTests {
  /// Which state of the file is seen, when, and whether that is told as a save.
  typealias Look = (state: Character?, milliseconds: UInt64, isSaved: Bool)

  static let rows: [[Look]] = [
    [("a", 0, false), ("a", 100, false), ("a", 5000, false)],
    [("b", 100, false), ("b", 200, false), ("b", 299, false), ("b", 300, true), ("b", 900, false)],
    // Written in pieces.
    [("b", 100, false), ("c", 200, false), ("c", 399, false), ("c", 400, true)],
    // Put aside for a moment, and replaced.
    [("a", 0, false), (nil, 100, false), (nil, 900, false), ("b", 1000, false), ("b", 1200, true)],
    // Put aside, and back as it was.
    [(nil, 100, false), ("a", 200, false), ("a", 900, false)],
    // Saved twice.
    [("b", 0, false), ("b", 200, true), ("c", 300, false), ("c", 500, true), ("c", 900, false)],
  ]

  @Test("is saved once it was left alone for 200 ms, and only once", arguments: rows)
  func saves(_ looks: [Look]) throws {
    try withTemporaryFolder { folder in
      var stamps: [Character: FileStamp] = [:]
      for name in ["a", "b", "c"] {
        stamps[Character(name)] = FileStamp(try folder.write(name, name))
      }
      var detector = SaveDetector(try #require(stamps["a"]))
      for look in looks {
        let stamp = look.state.flatMap { stamps[$0] }
        #expect(
          detector.isSaved(stamp, at: look.milliseconds * 1_000_000) == look.isSaved, "\(look)")
      }
    }
  }

  @Test("is a plain file, however its name leads to it")
  func plain() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("p.json", "{}")
      #expect(FileStamp(path) == FileStamp(folder.file("./p.json")) && FileStamp(path) != nil)
      #expect(FileStamp(folder.path) == nil && FileStamp("/dev/null") == nil)
      #expect(FileStamp(folder.file("none")) == nil)
    }
  }

  static let refused: [(words: [String], sentence: String)] = [
    (["--title", "Hi"], "'--watch' needs the payload in a file: '--payload FILE'."),
    (["--payload", "-"], "'--watch' needs the payload in a file: '--payload FILE'."),
    (["--payload", "/no/p.json"], "The payload file /no/p.json does not exist."),
    (["--payload", "/dev/null"], "/dev/null is not a file, and cannot be watched."),
    (["--tokens", "l.txt"], "'--tokens' and '--watch' cannot be used together."),
    (["--suppress", "l.txt"], "'--suppress' and '--watch' cannot be used together."),
    (["--apns-id", "x"], "'--apns-id' and '--watch' cannot be used together."),
    (["--dry-run"], "'--dry-run' and '--watch' cannot be used together."),
  ]

  @Test("is needed, and goes with no option that is for one run", arguments: refused)
  func refusals(_ row: (words: [String], sentence: String)) throws {
    let words = ["--env", "emulator", "--bundle-id", "a.b", "--to", "0a1b", "--watch"]
    let command = try SendCommand.parse(words + row.words)
    let failure = #expect(throws: Failure.self) { _ = try command.run(context()) }
    #expect(failure?.sentence == row.sentence && failure?.exitCode == .usage)
  }
}
