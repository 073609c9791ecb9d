import APNS
import Delivery
import HTTP2
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLHistory

/// A run in the process of the test, with a ledger, against emulators that keep a journal.
final class RunBench: Bench {
  let books: Books
  let folder: TemporaryFolder
  let clock = TestClock()
  /// How to send.
  var run = TestRun()
  /// How many pages of 4,096 bytes the history may have; nil for any number.
  var pages: Int?
  /// What a server on a good day is like.
  var goodDay: @Sendable (inout EmulatorConfiguration) -> Void = { _ in }
  /// How often the ledger commits.
  var pace = SQLLedger.Pace()
  /// Where to send; nil for the server.
  var target: DialTarget?
  private(set) var server: TestServer?
  private var sources: [RecipientSource] = []
  /// No good day needs more passes than this.
  private static let passLimit = 12
  private let number = NumberBox()

  /// The number of the run, which its ledger draws.
  private final class NumberBox: Sendable { let value = Atomic<Int64>(0) }

  /// - Parameter history: the history's file, when it is not the bench's own.
  init(in folder: TemporaryFolder, history: String? = nil) {
    self.folder = folder
    books = Books(history: history ?? folder.file("history.sqlite"))
    run.clock = clock.clock
  }

  typealias Script = @Sendable (Attempt) -> EmulatorAnswer?

  /// Starts a server, which takes the place of the one before.
  @discardableResult
  func serve(_ answer: @escaping Script = { _ in nil }) throws -> Emulator {
    try serve(with: { _ in }, answer: answer)
  }

  /// The same, with a configuration of its own.
  @discardableResult
  func serve(
    with configure: (inout EmulatorConfiguration) -> Void,
    answer: @escaping Script = { _ in nil }
  ) throws -> Emulator {
    let server = try TestServer(
      witness: books.witness, configure: configure, answer: books.exposure.watching(answer))
    self.server = server
    return server.emulator
  }

  /// Sends to so many recipients.
  @discardableResult
  func send(_ count: Int) throws -> Delivery {
    try send([.tokens(deviceTokens(count))], to: 0..<count)
  }

  /// Sends to the recipients of lists, who have these numbers.
  @discardableResult
  func send(_ sources: [RecipientSource], to numbers: Range<Int>) throws -> Delivery {
    self.sources = sources
    books.recipients = Set(numbers.map(tokenText))
    return try pass(beginning)
  }

  /// Goes on with the run.
  @discardableResult
  func resume(early: Bool = true) throws -> Delivery {
    run.control = RunControl()
    let (path, pace) = (books.history, pace)
    return try pass { _ in
      try SQLLedger.resume(
        .first, at: path, now: RunClock.system.epochMilliseconds(), sendsEarly: early, pace: pace)
    }
  }

  func finish() throws {
    guard try books.last.figures?.unfinished != 0 else { return }
    target = nil
    // On a good day nobody is in a hurry.
    run.timeoutMilliseconds = TestRun().timeoutMilliseconds
    try serve(with: goodDay)
    for _ in 0..<Self.passLimit where try books.last.figures?.unfinished != 0 { try resume() }
  }

  private var beginning: @Sendable (RunIdentity) throws -> SQLLedger {
    let (path, pace, pages) = (books.history, pace, pages)
    let (isAtMostOnce, expiration) = (run.retryRules.isAtMostOnce, run.expiresAt)
    let number = number
    return { identity in
      var record = RunRecord(
        started: RunClock.system.epochMilliseconds(), environment: "emulator", version: "1",
        identity: identity)
      record.atMostOnce = isAtMostOnce
      record.expiration = expiration
      let ledger = try SQLLedger.begin(record, at: path, pace: pace)
      number.value.store(ledger.run.rawValue, ordering: .relaxed)
      if let pages { try ledger.database.execute("PRAGMA max_page_count = \(pages)") }
      return ledger
    }
  }

  private func pass(
    _ history: @escaping @Sendable (RunIdentity) throws -> SQLLedger
  ) throws -> Delivery {
    books.exposure.begin(run.control, timeoutMilliseconds: run.timeoutMilliseconds)
    run.history = history
    let target = try target ?? #require(server?.target, "there is no server")
    let delivery = try run.send(sources, to: target)
    let ending = delivery.report.stopCause.map { "\($0)" } ?? ""
    try books.note(
      Figures(delivery.summary), ending, run: number.value.load(ordering: .relaxed),
      isLedgerCut: delivery.lost != nil)
    return delivery
  }
}
