import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite("Output")
struct OutputTests {
  @Test("to a pipe that does not wait loses nothing")
  func nonBlocking() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    shrinkPipe(descriptor)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let reader = Thread.reading(pipe.fileHandleForReading)
    let output = Output(descriptor: descriptor, environment: [:])
    output.write([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
    output.flush()
    try pipe.fileHandleForWriting.close()
    #expect(output.failure == nil)
    #expect(reader() == 1_000_000)
  }

  @Test("keeps its bottom line below what is written, and takes it away again")
  func bottom() throws {
    let screen = try screen(of: ["TERM": "xterm"]) { output in
      output.showBottom("10 %")
      output.write("a bad line\n")
      output.flush()
      output.showBottom("20 %")
      output.showBottom(nil)
      output.showBottom(nil)
      output.write("the end\n")
    }
    let erase = "\r\u{1b}[K"
    #expect(screen == "\(erase)10 %\(erase)a bad line\n10 %\(erase)20 %\(erase)the end\n")
  }

  @Test("has no bottom line on a terminal that cannot take it away")
  func dumb() throws {
    #expect(try screen(of: ["TERM": "dumb"]) { $0.showBottom("10 %") } == "")
  }

  typealias ColorCase = (
    choice: WhenChoice, environment: [String: String], isTerminal: Bool, isOn: Bool
  )

  static let colors: [ColorCase] = [
    (.auto, [:], true, true), (.auto, [:], false, false),
    (.auto, ["NO_COLOR": "1"], true, false), (.auto, ["NO_COLOR": ""], true, true),
    (.auto, ["CLICOLOR_FORCE": "1"], false, true), (.auto, ["CLICOLOR_FORCE": "0"], false, false),
    (.auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, true),
    (.always, [:], false, true), (.always, ["NO_COLOR": "1"], true, true),
    (.never, [:], true, false), (.never, ["CLICOLOR_FORCE": "1"], true, false),
  ]

  @Test("has colors as the option says, else the variables, else on a terminal", arguments: colors)
  func color(_ row: ColorCase) {
    let facts = TerminalFacts(row.environment, isTerminal: row.isTerminal)
    #expect(row.choice.isOn(auto: facts.hasColor) == row.isOn)
  }

  static let links: [ColorCase] = [
    (.auto, [:], true, true), (.auto, [:], false, false), (.auto, ["NO_COLOR": "1"], true, false),
    (.auto, ["CI": "true"], true, false), (.auto, ["CI": ""], true, true),
    (.auto, ["CLICOLOR_FORCE": "1"], false, false), (.always, ["CI": "true"], false, true),
    (.never, [:], true, false),
  ]

  @Test("has links as the option says, else on a terminal, but not in CI", arguments: links)
  func link(_ row: ColorCase) {
    let facts = TerminalFacts(row.environment, isTerminal: row.isTerminal)
    #expect(row.choice.isOn(auto: facts.hasLinks) == row.isOn)
  }

  static let tabs: [(environment: [String: String], takesProgress: Bool)] = [
    (["TERM_PROGRAM": "ghostty"], true), (["TERM_PROGRAM": "WezTerm"], true),
    (["WT_SESSION": "a"], true), (["ConEmuANSI": "ON"], true), (["ConEmuANSI": "OFF"], false),
    (["TERM_PROGRAM": "Apple_Terminal"], false), ([:], false),
    (["WT_SESSION": "a", "CI": "1"], false), (["WT_SESSION": "a", "NO_COLOR": "1"], false),
    (["WT_SESSION": "a", "TERM": "dumb"], false),
  ]

  @Test("tells a terminal that takes it how much is done, and takes that away", arguments: tabs)
  func progress(_ row: (environment: [String: String], takesProgress: Bool)) throws {
    let terminal = ["TERM": "xterm"].merging(row.environment) { $1 }
    let screen = try screen(of: terminal) { output in
      output.showBottom("10 %", percent: 10)
      output.showBottom("some")
      // Half a line hides what is at the bottom.
      output.write("half")
      output.flush()
      output.showBottom(nil)
      output.showBottom(nil)
    }
    let told = screen.matches(of: /\u{1B}\]9;4;([0-9;]+)\u{1B}\\/).map { String($0.1) }
    #expect(told == (row.takesProgress ? ["1;10", "3", "0"] : []))
  }

  /// What a terminal gets to see.
  private func screen(
    of environment: [String: String], _ body: (Output) -> Void
  ) throws -> String {
    var (master, slave): (Int32, Int32) = (-1, -1)
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    defer { close(master) }
    let output = Output(descriptor: slave, environment: environment)
    body(output)
    output.flush()
    let end = "."
    write(slave, end, 1)
    defer { close(slave) }
    var text = ""
    while !text.hasSuffix(end) {
      var block = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &block, block.count)
      guard count > 0 else { break }
      text += String(decoding: block[..<count], as: UTF8.self)
    }
    return text.dropLast().replacingOccurrences(of: "\r\n", with: "\n")
  }
}

extension Thread {
  /// Reads to the end on a thread of its own.
  ///
  /// - Returns: waits for the end, and tells how many bytes there were.
  fileprivate static func reading(_ handle: FileHandle) -> () -> Int {
    let done = DispatchSemaphore(value: 0)
    let count = Counted()
    detachNewThread {
      count.bytes = (try? handle.readToEnd())?.count ?? 0
      done.signal()
    }
    return {
      done.wait()
      return count.bytes
    }
  }

  /// Written before the semaphore is signalled, read after.
  private final class Counted: @unchecked Sendable { var bytes = 0 }
}
