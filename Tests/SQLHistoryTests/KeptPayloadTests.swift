import APNS
import History
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Payloads that are kept with their results", .overAllHistories)
struct KeptPayloadTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// Pushes whose rows made a payload of a word and their number; of the third nothing could be made.
  private func pushes(_ count: Int, _ word: String) throws -> [Push] {
    let list = (1...count).map {
      #"{"token":"\#(tokenText($0))","v":"\#($0 == 3 ? "bad" : word)"}"#
    }
    let file = try place.folder.file("list.jsonl", list.joined(separator: "\n"))
    var reader = try RecipientReader([.file(file)], rendering: EchoRendering(names: ["v"]))
    return Array(try #require(try reader.next()).pushes)
  }

  private func kept() throws -> [String] {
    try rows("SELECT id & 255, \(place.text("payload")) FROM payloads ORDER BY id", in: path)
  }

  private func run(_ pushes: [Push], keeps: Bool) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    if keeps { try ledger.keepPayloads() }
    try ledger.claim(upTo: UInt64(pushes.count))
    try ledger.record(pushes.map { $0.result(.deferred, .busy, at: dawn) }, now: dawn)
    try ledger.finishAll(pushes.count)
  }

  @Test(
    "are those of the rows, in groups and alone, and none of a row without", arguments: [4, 37])
  func ofRows(count: Int) throws {
    try run(try pushes(count, "x"), keeps: true)
    let wanted = (1...count).filter { $0 != 3 }.map { "\($0)|v text x" }
    #expect(try kept() == wanted)
    let history = try HistoryReader(path)
    var payloads: [[UInt8]?] = []
    try history.forEachPush(HistoryFilter(), newestFirst: false) {
      (push) throws(HistoryError) in
      payloads.append(try history.keptPayload(of: push))
      return true
    }
    #expect(payloads.count == count && payloads[2] == nil && payloads[0] == Array("v text x".utf8))
  }

  @Test("are none unless it is asked for, nor of a payload that all have")
  func none() throws {
    try run(try pushes(20, "x"), keeps: false)
    try run(try Push.samples(20), keeps: true)
    #expect(try kept() == [])
  }

  @Test("are the last that was sent, whatever another pass would have sent")
  func nextPass() throws {
    try run(try pushes(6, "x"), keeps: true)
    let again = try pushes(6, "y")
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn, sendsEarly: true)
    try ledger.keepPayloads()
    try ledger.claim(upTo: 6)
    let results = [
      again[0].accepted, again[1].result(.skipped, attempts: 0),
      again[3].result(.notAttempted, attempts: 0), again[4].result(.rejected, .gone),
    ]
    try ledger.record(results, now: dawn)
    try ledger.finishAll(6)
    #expect(
      try kept() == ["1|v text y", "2|v text x", "4|v text x", "5|v text y", "6|v text x"])
  }

  @Test("a run is held while nobody sends it, and nobody sends it meanwhile")
  func hold() throws {
    try run(try pushes(2, "x"), keeps: false)
    let history = try HistoryReader(path)
    let run = try #require(try history.newestRun()).run
    do {
      let hold = try history.hold(run)
      let error = #expect(throws: HistoryError.self) {
        try SQLLedger.resume(run, at: path, now: dawn, sendsEarly: true)
      }
      guard case .owned(run, _, _)? = error else { return #expect(Bool(false), "\(error as Any)") }
      withExtendedLifetime(hold) {}
    }
    let ledger = try SQLLedger.resume(run, at: path, now: dawn, sendsEarly: true)
    let error = #expect(throws: HistoryError.self) { try history.hold(run) }
    #expect(error?.isOwned == true)
    withExtendedLifetime(ledger) {}
  }
}
