import APNS
import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Questions to a history", .overAllHistories)
struct HistoryReaderTests {
  private let place: HistoryReference
  private var path: String { place.path }

  /// Run 1 is of yesterday, in the sandbox, and has one of each; run 2 is of today, with two more.
  init() throws {
    place = try HistoryReference()
    let pushes = try Push.samples(6)
    var yesterday = RunRecord.sample()
    yesterday.environment = "sandbox"
    yesterday.scenario = "News"
    try write(
      yesterday,
      [
        pushes[0].accepted, pushes[1].result(.rejected, .gone, at: dawn + 1),
        pushes[2].result(.deferred, .busy, at: dawn + 2), pushes[3].result(.unknown),
        pushes[4].result(.skipped, attempts: 0), pushes[5].result(.notAttempted, attempts: 0),
      ])
    var today = RunRecord.sample()
    today.started = dawn + 1440 * minute
    today.identity = RunIdentity(given: nil, bits: APNSID.RunBits(5, 5))
    try write(today, [pushes[0].accepted, pushes[1].result(.rejected, .gone)])
  }

  private func write(_ record: RunRecord, _ results: [PushResult]) throws {
    let ledger = try SQLLedger.begin(record, at: path)
    try ledger.record(results, now: record.started)
    try ledger.finishAll(results.count)
  }

  /// A filter, and what it finds as `run:number`, the newest first.
  struct Question: CustomTestStringConvertible {
    let testDescription: String
    let found: [String]
    let change: @Sendable (inout HistoryFilter) -> Void
  }

  static let questions = [
    Question(
      testDescription: "all", found: ["2:2", "2:1", "1:6", "1:5", "1:4", "1:3", "1:2", "1:1"]
    ) { _ in },
    Question(testDescription: "accepted", found: ["2:1", "1:1"]) { $0.outcomes = [.accepted] },
    Question(testDescription: "two outcomes", found: ["1:6", "1:4"]) {
      $0.outcomes = [.unknown, .notAttempted]
    },
    Question(testDescription: "a reason, in any case", found: ["2:2", "1:2"]) {
      $0.reasons = ["unregistered"]
    },
    Question(testDescription: "two reasons", found: ["2:2", "1:3", "1:2"]) {
      $0.reasons = ["ServiceUnavailable", "Unregistered"]
    },
    Question(testDescription: "a reason that reads like SQL", found: []) {
      $0.reasons = ["') OR 1=1 --"]
    },
    Question(testDescription: "an environment", found: ["1:2"]) {
      $0.environment = "sandbox"
      $0.reasons = ["Unregistered"]
    },
    Question(testDescription: "a scenario", found: ["1:1"]) {
      $0.scenario = "News"
      $0.outcomes = [.accepted]
    },
    Question(testDescription: "since", found: ["2:2", "2:1"]) { $0.since = dawn + minute },
    Question(testDescription: "until", found: ["1:1"]) {
      $0.until = dawn + minute
      $0.outcomes = [.accepted]
    },
    Question(testDescription: "since its very start", found: ["2:2", "2:1"]) {
      $0.since = dawn + 1440 * minute
    },
    Question(testDescription: "until its very start", found: ["1:1"]) {
      $0.until = dawn + 1440 * minute
      $0.outcomes = [.accepted]
    },
    Question(testDescription: "a run", found: ["2:2", "2:1"]) {
      $0.runs = [RunNumber(rawValue: 2)].compactMap(\.self).reduce(into: []) { $0.insert($1) }
    },
    Question(testDescription: "a token", found: ["2:2", "1:2"]) {
      $0.token = TokenPattern(tokenText(1))
    },
    Question(testDescription: "the end of a token", found: ["1:4"]) {
      $0.token = TokenPattern("…00000003")
    },
    Question(testDescription: "fewer digits than the index has", found: ["1:4"]) {
      $0.token = TokenPattern("003")
    },
    Question(testDescription: "a token, and what became of it", found: ["2:1"]) {
      $0.token = TokenPattern(tokenText(0))
      $0.since = dawn + 1
      $0.outcomes = [.accepted]
    },
    Question(testDescription: "an apns-id", found: ["2:2"]) {
      $0.apnsID = APNSID(APNSID.RunBits(5, 5), sequence: 2)
    },
    Question(testDescription: "an apns-id of a push without a result", found: []) {
      $0.apnsID = APNSID(APNSID.RunBits(5, 5), sequence: 3)
    },
    Question(testDescription: "an apns-id of no run", found: []) {
      $0.apnsID = APNSID(APNSID.RunBits(5, 6), sequence: 1)
    },
  ]

  @Test("find the pushes that fit, in either order", arguments: questions)
  func pushes(_ question: Question) throws {
    var filter = HistoryFilter()
    question.change(&filter)
    let reader = try HistoryReader(path)
    for isNewestFirst in [true, false] {
      var found: [String] = []
      try reader.forEachPush(filter, newestFirst: isNewestFirst) { push in
        found.append("\(push.run):\(push.sequence)")
        return true
      }
      #expect(found == (isNewestFirst ? question.found : question.found.reversed()))
    }
  }

  @Test("find the runs that can have such pushes, the newest first")
  func runs() throws {
    let reader = try HistoryReader(path)
    var filter = HistoryFilter()
    var found: [Int64] = []
    let note = { (entry: RunEntry) in
      found.append(entry.run.rawValue)
      return true
    }
    try reader.forEachRun(filter, note)
    filter.outcomes = [.skipped]
    try reader.forEachRun(filter, note)
    #expect(found == [2, 1, 1])
    let entry = try #require(try reader.newestRun())
    #expect(entry.run.rawValue == 2 && entry.state == .finished && entry.tally.rejected == 1)
    #expect(entry.record.started == dawn + 1440 * minute && entry.figures == nil)
    #expect(entry.recipients.lines == 2 && entry.resumptions == 0)
  }

  @Test("tell of a push all that was answered")
  func answer() throws {
    let id = APNSID(RunRecord.sample().identity.bits, sequence: 2)
    let push = try #require(try HistoryReader(path).push(id))
    #expect(push.apnsID == id && push.token == tokenText(1) && push.list == "all.txt")
    #expect(push.line == 20 && push.outcome == .rejected && push.attempts == 1)
    #expect(push.response == .gone && push.answeredAt == dawn + 1)
  }

  @Test("find a push by the id that it was given, the newest of several")
  func givenID() throws {
    let id = try #require(APNSID("123e4567-e89b-42d3-a456-426614174000"))
    var record = RunRecord.sample()
    record.identity = RunIdentity(given: id, bits: APNSID.RunBits(9, 9))
    for _ in 0..<2 { try write(record, [try Push.samples(1)[0].accepted]) }
    let reader = try HistoryReader(path)
    #expect(try reader.push(id)?.run.rawValue == 4)
    #expect(try reader.push(id)?.apnsID == id)
    #expect(try reader.push(APNSID(APNSID.RunBits(9, 9), sequence: 1)) == nil)
  }

  @Test("find a reason of pushes that were neither rejected nor deferred in the end")
  func lateReasons() throws {
    let pushes = try Push.samples(2)
    let place = try HistoryReference()
    let ledger = try SQLLedger.begin(.sample(), at: place.path)
    try ledger.record([pushes[0].result(.skipped, .busy), pushes[1].accepted], now: dawn)
    try ledger.finishAll(2)
    var filter = HistoryFilter()
    filter.reasons = ["ServiceUnavailable"]
    var found: [UInt64] = []
    try HistoryReader(place.path).forEachPush(filter) { push in
      found.append(push.sequence)
      return true
    }
    #expect(found == [1])
  }

  @Test("leave no row out between two pages, and stop when they are told to")
  func pages() throws {
    let count = 5000
    try write(.sample(), try Push.samples(count).map(\.accepted))
    let reader = try HistoryReader(path)
    var filter = HistoryFilter()
    filter.runs = [try #require(RunNumber(rawValue: 3))]
    for isNewestFirst in [true, false] {
      var found: [UInt64] = []
      try reader.forEachPush(filter, newestFirst: isNewestFirst) { push in
        found.append(push.sequence)
        return found.count < 4999
      }
      let all = isNewestFirst ? Array((2...UInt64(count)).reversed()) : Array(1...4999)
      #expect(found == all)
    }
  }

  @Test(
    "an id from the sandbox's console comes back as it was",
    arguments: [
      "0a5ed42f-efdd-49c6-92a8-70980e0d1aa6", "0A5ED42F-EFDD-49C6-92A8-70980E0D1AA6", "any text",
      "größer",
    ])
  func uniqueID(_ text: String) throws {
    let response = Response(status: .accepted, uniqueID: text)
    try write(.sample(), [try Push.samples(1)[0].result(.accepted, response)])
    var filter = HistoryFilter()
    filter.runs = [try #require(RunNumber(rawValue: 3))]
    var found: String?
    try HistoryReader(path).forEachPush(filter) { push in
      found = push.response?.uniqueID
      return true
    }
    #expect(found == text)
  }

  @Test("to none say that there is none, and make none")
  func missing() throws {
    let place = try HistoryReference(isBare: true)
    for _ in 0..<2 {
      #expect(throws: HistoryError.missing(path: place.name)) { _ = try HistoryReader(place.path) }
    }
    #expect(try !place.isMade)
  }

  @Test("to an empty file say that it is empty, and leave it so", .only(.sqlite))
  func empty() throws {
    let empty = try place.folder.file("empty.sqlite", "")
    #expect(throws: HistoryError.empty(path: empty)) { _ = try HistoryReader(empty) }
    #expect(try place.folder.bytes("empty.sqlite").isEmpty)
  }
}
