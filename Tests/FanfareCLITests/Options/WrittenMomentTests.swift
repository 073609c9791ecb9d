import APNS
import CommandLineKit
import JSONText
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

@Suite("A moment whose zone is left open")
struct WrittenMomentTests {
  static let rows: [(text: String, seconds: Int64?, note: String?)] = [
    (
      "2026-11-21T10:00", 1_795_257_000,
      "2026-11-21T10:00 is local time, UTC-00:30: 2026-11-21T10:30:00Z"
    ),
    (
      "2026-11-21 10:00:00.5", 1_795_257_000,
      "2026-11-21 10:00:00.5 is local time, UTC-00:30: 2026-11-21T10:30:00Z"
    ),
    ("2026-11-21", 1_795_219_200, "2026-11-21 begins at midnight UTC: 2026-11-21T00:00:00Z"),
    ("2026-11-21T10:00Z", 1_795_255_200, nil), ("1h", nil, nil), ("1795255200", nil, nil),
    ("{{now+1h}}", nil, nil),
  ]

  @Test("is local time, or midnight UTC, and what it is is told", arguments: rows)
  func read(_ row: (text: String, seconds: Int64?, note: String?)) {
    let moment = context(localOffset: { _ in -1800 }).writtenMoment(row.text)
    #expect(moment?.seconds == row.seconds && moment?.note == row.note)
  }

  static let changes: [(text: String, note: String)] = [
    (
      "2026-03-29T02:30",
      "does not exist, because clocks go forward; taken as UTC+01:00: 2026-03-29T01:30:00Z"
    ),
    ("2026-10-25T02:30", "is local time, the first of two, UTC+02:00: 2026-10-25T00:30:00Z"),
    ("2026-03-29T03:00", "is local time, UTC+02:00: 2026-03-29T01:00:00Z"),
    ("2026-03-29T01:59", "is local time, UTC+01:00: 2026-03-29T00:59:00Z"),
    ("2026-10-25T01:59", "is local time, UTC+02:00: 2026-10-24T23:59:00Z"),
    ("2026-10-25T03:00", "is local time, UTC+01:00: 2026-10-25T02:00:00Z"),
  ]

  @Test("says what was taken where clocks change", arguments: changes)
  func clockChange(_ row: (text: String, note: String)) {
    // Berlin in 2026: summer time from 29 March to 25 October, 01:00 UTC.
    let summer: Range<Int64> = 1_774_746_000..<1_792_890_000
    let moment = context(localOffset: { summer ~= $0 ? 7200 : 3600 }).writtenMoment(row.text)
    #expect(moment?.note == "\(row.text) \(row.note)")
  }

  @Test("goes into headers and payload by one clock")
  func draft() throws {
    let words = [
      "--title", "Hi", "--event", "end", "--expiration", "2026-11-21T10:00", "--stale-date",
      "2026-11-21T10:00", "--dismissal-date", "2026-11-21",
    ]
    let context = context(localOffset: { _ in 3600 })
    var assembly = try draftAssembly(SendCommand.parse(words).options, nil, context)
    let draft = try assembly.draft()
    #expect(draft.expiration == "1795251600")
    let aps = draft.payload?.json?["aps"]
    #expect(aps?["stale-date"]?.number?.int == 1_795_251_600)
    #expect(aps?["dismissal-date"]?.number?.int == 1_795_219_200)
    #expect(
      assembly.notes.map { String($0.prefix { $0 != ":" }) } == [
        "--expiration", "--stale-date", "--dismissal-date",
      ])
  }

  @Test("of the system is the same second there and back")
  func system() {
    for moment: Int64 in [0, 1_700_000_000, 1_720_000_000] {
      let offset = systemOffset(moment)
      #expect(offset.magnitude <= 15 * 3600 && offset.isMultiple(of: 60))
    }
  }

  @Test("in the past may be a span, a moment or a local time")
  func past() throws {
    let context = context(localOffset: { _ in 7200 })
    for (word, second) in [
      ("1h30m", presentSecond - 5400), ("PT1H", presentSecond - 3600),
      ("2023-11-14 00:00", 1_699_912_800), ("2023-11-14", 1_699_920_000), ("5", 5),
    ] {
      let time = try TimeArgument(argument: word)
      #expect(time.milliseconds("--since", context) == second * 1000, "\(word)")
    }
  }
}
