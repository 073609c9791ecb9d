import Foundation
import JSONText
import PushEmulator
import SQLHistory
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// The built program, against an emulator in the process of the test that keeps a journal.
final class ProgramBench: Bench {
  let fanfare: Fanfare
  let books: Books
  let executioner = Executioner()
  private(set) var server: Server
  private let script = Script()
  private var words: [String] = []

  /// What one kill can make arrive twice: the pushes in flight on the one connection.
  static let exposureOfKill = Window.cap

  private final class Script: Sendable {
    typealias Answer = @Sendable (Attempt) -> EmulatorAnswer?
    /// In a struct, for a bare function would be wrapped anew each time it is read.
    private struct Held { var answer: Answer = { _ in nil } }
    private let held = Mutex(Held())

    func set(_ answer: @escaping Answer) { held.withLock { $0.answer = answer } }

    func decide(_ attempt: Attempt) -> EmulatorAnswer? { held.withLock { $0 }.answer(attempt) }
  }

  init(_ fanfare: Fanfare) throws {
    self.fanfare = fanfare
    books = Books(history: fanfare.folder.file(".local/state/fanfare/history.sqlite"))
    server = try Self.start(fanfare, books, executioner, script) { _ in }
  }

  private static func start(
    _ fanfare: Fanfare, _ books: Books, _ executioner: Executioner, _ script: Script,
    _ configure: (inout EmulatorConfiguration) -> Void
  ) throws -> Server {
    let watched = books.exposure.watching { attempt in
      executioner.noteRequest()
      return script.decide(attempt)
    }
    var configuration = books.witness.configuration(attempts: watched)
    configure(&configuration)
    return try Server(fanfare, configuration)
  }

  /// Starts another server with a configuration of its own.
  func serve(_ configure: (inout EmulatorConfiguration) -> Void) throws {
    server = try Self.start(fanfare, books, executioner, script, configure)
  }

  /// What the server answers from now on.
  func answer(_ answer: @escaping @Sendable (Attempt) -> EmulatorAnswer?) { script.set(answer) }

  /// Sends to so many recipients, of a list unless there is one only.
  @discardableResult
  func send(
    _ count: Int, _ words: String..., signal: Int32 = SIGKILL, atRequest number: Int = 0,
    shell: String? = nil
  ) throws -> Program.Result {
    try fanfare.folder.write("list.txt", tokenList(count))
    let all = ["send", "--title", "Hi", "--tokens", "list.txt"] + server.place + words
    return try start(all + credentials + ["--bundle-id", "com.example.shop"], to: 1...count) {
      words in
      try executioner.start(signal, atRequest: number) { try launch(words, shell) }.finish()
    }
  }

  /// Runs `fanfare send` with other words, to the device tokens with these numbers.
  @discardableResult
  func send(
    to numbers: ClosedRange<Int>?, _ line: String, environment: [String: String] = [:]
  ) throws -> Program.Result {
    let more = line.split(separator: " ").map(String.init)
    return try start(["send", "--title", "Hi"] + server.place + more, to: numbers) {
      try fanfare.run($0, environment: environment)
    }
  }

  /// Goes on with the run.
  @discardableResult
  func resume(
    _ words: String..., signal: Int32 = SIGKILL, atRequest number: Int = 0
  ) throws -> Program.Result {
    try command(["resume", "--json"] + words, signal: signal, atRequest: number)
  }

  /// Sends what was not accepted of a run again, in a run of its own.
  @discardableResult
  func resend(_ run: Int, atRequest number: Int = 0) throws -> Program.Result {
    try command(["history", "resend", "\(run)", "--json"], atRequest: number)
  }

  /// Runs the program with these words.
  @discardableResult
  func command(
    _ words: [String], signal: Int32 = SIGKILL, atRequest number: Int = 0,
    environment: [String: String] = [:]
  ) throws -> Program.Result {
    try pass(words) { words in
      try executioner.start(signal, atRequest: number) {
        try fanfare.start(words, environment: environment)
      }.finish()
    }
  }

  func finish() throws {
    answer { _ in nil }
    guard try books.last.figures?.unfinished != 0 else { return }
    try resume("--now")
  }

  private func start(
    _ words: [String], to numbers: ClosedRange<Int>?,
    _ run: ([String]) throws -> Program.Result
  ) throws -> Program.Result {
    books.recipients = Set((numbers.map(Array.init) ?? []).map(tokenText))
    return try pass(words + ["--json"], run)
  }

  /// - Parameter shell: what bash does before it becomes the program; nil needs none.
  private func launch(_ words: [String], _ shell: String?) throws -> Program {
    guard let shell else { return try fanfare.start(words) }
    let line = "\(shell); exec \"$0\" \"$@\""
    return try Program(
      path: requirePath(of: "bash"), ["-c", line, Fanfare.path] + words, in: fanfare.folder)
  }

  private static let lossesOfLedger = [
    "The disk has no room left for the history", "deleted or damaged during the run",
  ]

  private func pass(
    _ words: [String], _ run: ([String]) throws -> Program.Result
  ) throws -> Program.Result {
    let result = try run(words)
    expectHarmless(result.errors)
    // A crash, or the end of its time limit, must not pass for the kill.
    #expect(result.exitCode != nil || executioner.hasStruck, "nobody killed it")
    if result.exitCode == nil { books.exposure.add(Self.exposureOfKill) }
    let ending = "exit code \(result.exitCode ?? -1)\n\(result.errors)\(result.output)"
    try books.note(
      try figures(of: result), ending,
      isLedgerCut: Self.lossesOfLedger.contains(where: result.errors.contains))
    return result
  }

  /// What it told last, or wrote down when nobody listened any more.
  private func figures(of result: Program.Result) throws -> Figures? {
    guard result.exitCode != nil else { return nil }
    let told = result.output.split(separator: "\n").last.flatMap { try? JSON(text: $0) }
    if let told, told["lines"] != nil { return Figures(told) }
    let kept = try LedgerPage(books.history, run: nil).summary
    return try kept.map { Figures(try JSON(text: $0)) }
  }
}
