import Foundation
import JSONText
import SendingSupport
import Testing

@testable import Studio
@testable import WebServer

@Suite("What a run of the studio has printed")
struct RunStreamTests {
  private static func line(_ number: Int) -> String {
    #"{"sequence":\#(number),"outcome":"accepted"}"# + "\n"
  }

  private func output(_ texts: String..., to stream: Child.Stream = .output) -> ChildOutput {
    var output = ChildOutput()
    for text in texts { output.take(stream, Array(text.utf8)[...]) }
    return output
  }

  @Test("is read by lines, wherever their pieces end")
  func pieces() {
    let whole = Self.line(1) + "noise\n" + Self.line(2) + #"{"accepted":2}"# + "\n"
    for count in 0...whole.count {
      let output = output(String(whole.prefix(count)), String(whole.dropFirst(count)))
      #expect(output.counts == ["accepted": 2] && output.resultCount == 2)
      #expect(output.summaries == [Array(#"{"accepted":2}"#.utf8)])
    }
  }

  @Test("is kept as far as it is the last: 500 lines of each kind, and 64 KiB of errors")
  func kept() {
    let results = output((1...500).map(Self.line).joined())
    #expect(results.results.count == 500 && results.resultCount == 500)
    let more = output((1...500).map(Self.line).joined(), Self.line(501))
    #expect(more.results.count == 500 && more.resultCount == 501)
    #expect(more.results.last.map { $0 + [0x0A] } == Array(Self.line(501).utf8))
    let summaries = output((1...501).map { #"{"run":\#($0)}"# + "\n" }.joined())
    #expect(summaries.summaries.first == Array(#"{"run":2}"#.utf8))
    #expect(summaries.summaries.count == 500 && summaries.counts == [:])
    let errors = output(String(repeating: "a", count: 64 << 10), "the end", to: .errors)
    #expect(
      errors.errors.count == 64 << 10 && errors.errors.suffix(7) == Array("the end".utf8)[...])
  }

  /// What comes between two events, and what the second tells of it.
  private static let portions = [
    (1...3, 1...3), (4...5, 4...5), (6...205, 6...205), (206...406, 207...406),
  ]

  @Test("is told in events, each result once, and of many at once the last 200")
  func events() throws {
    try withPipe { pipe in
      let shell = ShellChildren()
      let runs = StudioRuns(shell.program, shell.changes)
      let run = try runs.begin(["-c", #"exec cat "$0""#, pipe], of: 0, adding: [])
      let feed = try #require(FileHandle(forWritingAtPath: pipe))
      let stream = StudioEvents(run, try Places().take())
      var now: Int64 = 0
      for (sent, told) in Self.portions {
        try feed.write(contentsOf: Data(sent.map(Self.line).joined().utf8))
        shell.wait { run.json(after: nil).results == sent.upperBound }
        if now > 0 { #expect(stream.next(now: now - 1) == .nothing(until: now)) }
        let event = try Self.event(stream.next(now: now))
        #expect(event["results"]?.array?.compactMap { $0["sequence"]?.int } == Array(told))
        #expect(event["counts"]?["accepted"]?.int == sent.upperBound)
        now += StudioEvents.interval
      }
      try feed.close()
      shell.wait { !run.isRunning }
      let last = try Self.event(stream.next(now: now))
      #expect(last["state"] == "ended" && last["results"] == [] && last["exitCode"] == 0)
      #expect(stream.next(now: now) == .end)
    }
  }

  private static func event(_ piece: BodyPiece) throws -> JSON {
    guard case .bytes(let bytes) = piece else { return [:] }
    let text = String(decoding: bytes, as: UTF8.self)
    try #require(text.hasPrefix("data: ") && text.hasSuffix("\n\n"))
    return try JSONReader().read(String(text.dropFirst(6)))
  }
}
