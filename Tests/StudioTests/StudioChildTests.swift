import Foundation
import JSONText
import SendingSupport
import Testing

@testable import Studio
@testable import WebServer

@Suite("The children of the studio")
struct StudioChildTests {
  private let shell = ShellChildren()

  private func begin(_ script: String, in runs: StudioRuns) throws -> StudioRun {
    try runs.begin(["-c", script], of: 0, adding: [])
  }

  @Test("are the last fifty runs, and each that is under way, however old it is")
  func kept() throws {
    let runs = StudioRuns(shell.program, shell.changes)
    let old = try begin("exec sleep 600", in: runs)
    for id in 2...51 {
      let run = try begin("exit 0", in: runs)
      shell.wait { !run.isRunning }
      if id == 50 { #expect(runs.all.map(\.id) == Array(1...50)) }
    }
    #expect(runs.all.map(\.id) == [1] + Array(3...51))
    #expect(runs[1] === old && old.isRunning && runs[2] == nil)
    runs.stop()
    #expect(!old.isRunning)
  }

  @Test("take what they have started with them when they are killed")
  func descendants() throws {
    let script = "(sleep 30; echo late) & echo begun; wait"
    let child = try #require(Child(shell.program, ["-c", script], input: nil))
    var output: [UInt8] = []
    let status = child.finish { _, bytes in
      output += bytes
      return false
    }
    #expect(status == 128 + SIGKILL)
    #expect(String(decoding: output, as: UTF8.self) == "begun\n")
  }

  @Test("end with all that they have started when their client goes away")
  func gone() throws {
    try withPipe { pipe in
      let calls = Calls(shell.program, shell.changes)
      let script = #"(sleep 30; echo late) & echo begun >"$0"; wait"#
      let call = calls.begin(["-c", script, pipe], input: nil)
      let place = try Places().take()
      try withExtendedLifetime(CallStream(call, place)) {
        let begun = try #require(FileHandle(forReadingAtPath: pipe)).readToEnd()
        #expect(begun == Data("begun\n".utf8))
      }
      shell.wait { call.answer != nil }
      #expect(call.answer?["exitCode"]?.int == 128 + Int(SIGKILL))
      #expect(call.answer?["output"] == "")
    }
  }

  static let amounts: [(bytes: Int, stream: Int, isEnded: Bool)] = [
    (4 << 20, 1, false), (4 << 20, 2, false), (8 << 20, 1, true), (8 << 20, 2, true),
  ]

  @Test("print four mebibytes to either stream, and are ended beyond them", arguments: amounts)
  func flood(_ row: (bytes: Int, stream: Int, isEnded: Bool)) throws {
    let calls = Calls(shell.program, shell.changes)
    let script = "yes | head -c \(row.bytes) >&\(row.stream)"
    let call = calls.begin(["-c", script], input: nil)
    shell.wait { call.answer != nil }
    let answer = try #require(call.answer)
    let printed = [answer["output"], answer["errors"]].map { $0?.string?.utf8.count ?? 0 }
    #expect(answer["exitCode"]?.int == (row.isEnded ? 128 + Int(SIGKILL) : 0))
    if row.isEnded {
      #expect(answer["errors"]?.string?.contains("more than 4 MiB") == true && printed[0] == 0)
    } else {
      #expect(printed == (row.stream == 1 ? [row.bytes, 0] : [0, row.bytes]))
    }
  }
}
