import APNS
import Testing

@Suite struct ExpirationTests {
  static let now: Int64 = 1_700_000_000

  static let spans: [(text: String, seconds: Int64)] = [
    ("30s", 30), ("15m", 900), ("1h", 3600), ("2d", 172_800), ("1w", 604_800), ("0s", 0),
    ("1h30m", 5400), ("1w2d3h4m5s", 788_645), ("PT1H", 3600), ("P1DT2H", 93_600),
    ("P2W", 1_209_600), ("PT90S", 90), ("P0D", 0),
  ]

  @Test("People write spans of time from now", arguments: spans)
  func span(_ row: (text: String, seconds: Int64)) throws {
    #expect(try Expiration(row.text, now: Self.now).seconds == Self.now + row.seconds)
  }

  static let moments: [(text: String, seconds: Int64)] = [
    ("0", 0), ("1795255200", 1_795_255_200),
    ("2026-11-21T10:00:00Z", 1_795_255_200), ("2026-11-21T10:00Z", 1_795_255_200),
    ("2026-11-21T11:30:00+01:30", 1_795_255_200), ("2026-11-21T05:00:00-0500", 1_795_255_200),
    ("2026-11-21T10:00:00.000Z", 1_795_255_200), ("2026-11-21 10:00:00Z", 1_795_255_200),
    ("2026-11-21T10:00:00,9Z", 1_795_255_200), ("2026-11-21 11:00:00 +0100", 1_795_255_200),
    ("2026-11-21", 1_795_219_200), ("2024-02-29", 1_709_164_800), ("1970-01-01", 0),
    ("2000-03-01", 951_868_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]

  @Test("People write moments in several forms", arguments: moments)
  func moment(_ row: (text: String, seconds: Int64)) throws {
    #expect(try Expiration(row.text, now: Self.now).seconds == row.seconds)
  }

  static let refusals: [(text: String, error: ExpirationError)] = [
    ("", ExpirationError.empty), ("soon", .unreadable), ("-1", .unreadable), ("1.5", .unreadable),
    ("h", .unreadable), ("30m1h", .unreadable), ("1h1h", .unreadable), ("1h30", .unreadable),
    ("P", .unreadable), ("PT", .unreadable), ("P1M", .unreadable), ("P1H", .unreadable),
    ("PT1D", .unreadable), ("P1DT", .unreadable), ("-1h", .unreadable), ("1y", .unreadable),
    ("2026-11-21T10:00:00.Z", .unreadable), ("2026-11-21  10:00Z", .unreadable),
    ("2026-02-29", .unreadable), ("2100-02-29", .unreadable), ("2026-13-01", .unreadable),
    ("2026-00-10", .unreadable), ("2026-04-31", .unreadable), ("2026-1-1", .unreadable),
    ("2026-11-21T10:00:00", .unreadable), ("2026-11-21T24:00:00Z", .unreadable),
    ("2026-11-21 10:00", .unreadable), ("2026-11-21T10:00:00Zx", .unreadable),
    ("2026-11-21T", .unreadable), ("1970-01-01T00:00:00+01:00", .outOfRange),
    ("99999999999999999999", .outOfRange), ("9223372036854775807s", .outOfRange),
    ("٣", .unreadable),
  ]

  @Test("Anything else is refused", arguments: refusals)
  func refused(_ row: (text: String, error: ExpirationError)) {
    #expect(throws: row.error) { try Expiration(row.text, now: Self.now) }
  }

  @Test("The header's own form is digits alone", arguments: ["1h", "2026-11-21", "", "+5"])
  func wire(text: String) throws {
    #expect(throws: text.isEmpty ? ExpirationError.empty : .unreadable) {
      try Expiration(wire: text)
    }
    #expect(try Expiration(wire: "0") == .neverStored)
  }

  @Test("A draft gets the header's form, or keeps what it cannot read")
  func draftField() {
    #expect(DraftField.expiration("1h", now: Self.now).value == "1700003600")
    #expect(DraftField.expiration("soon", now: Self.now).value == "soon")
  }
}

@Suite("A length of time")
struct TimeSpanTests {
  @Test(
    "of at most a day may be as fine as milliseconds",
    arguments: [
      ("500ms", 500), ("1s500ms", 1500), ("1h30m", 5_400_000), ("PT2M", 120_000),
      ("1d", 86_400_000), ("24h", 86_400_000), ("0s", 0),
    ])
  func milliseconds(text: String, time: Int) {
    #expect(TimeSpan.milliseconds(text) == time)
  }

  @Test(
    "is refused when it is longer, or nothing of the kind",
    arguments: ["", "5", "1d1ms", "P2D", "PT9223372036854775807S", "1ms1s", "1.5s", "٣s"])
  func refused(_ text: String) { #expect(TimeSpan.milliseconds(text) == nil) }
}

@Suite("A moment in ISO 8601")
struct ISO8601TextTests {
  @Test(
    "is written as it is read",
    arguments: [
      "1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2000-03-01T00:00:00Z",
      "2023-11-14T22:13:20Z", "2100-02-28T12:00:01Z", "9999-12-31T23:59:59Z",
    ])
  func text(_ text: String) throws {
    #expect(ISO8601.text(seconds: try #require(ISO8601.seconds(text))) == text)
  }

  @Test("says whether it is local, and whether it is a date alone")
  func written() {
    #expect(
      ISO8601.written("2026-11-21 10:00")
        == ISO8601.Written(seconds: 1_795_255_200, offset: nil, isDate: false))
    #expect(
      ISO8601.written("2026-11-21T10:00:00.5+01:00")
        == ISO8601.Written(seconds: 1_795_255_200, offset: 3600, isDate: false))
    #expect(
      ISO8601.written("2026-11-21")
        == ISO8601.Written(seconds: 1_795_219_200, offset: 0, isDate: true))
    #expect(ISO8601.written("2026-11-21 ") == nil && ISO8601.written("2026-11-21 10:00 ") == nil)
    #expect(ISO8601.seconds("2026-11-21T10:00") == nil)
  }

  @Test("may lie before 1970, and is kept to four digits of the year")
  func edges() {
    #expect(ISO8601.text(seconds: -1) == "1969-12-31T23:59:59Z")
    #expect(ISO8601.text(seconds: .max) == "9999-12-31T23:59:59Z")
    #expect(ISO8601.text(seconds: .min) == "0000-01-01T00:00:00Z")
  }
}
