import APNS
import Testing

@Suite struct ExpirationTests {
  static let now: Int64 = 1_700_000_000

  @Test(
    "People write expirations in several forms",
    arguments: [
      ("0", 0), ("1795255200", 1_795_255_200), ("30s", now + 30), ("15m", now + 900),
      ("1h", now + 3600), ("2d", now + 172_800), ("1w", now + 604_800), ("0s", now),
      ("2026-11-21T10:00:00Z", 1_795_255_200), ("2026-11-21T10:00Z", 1_795_255_200),
      ("2026-11-21T11:30:00+01:30", 1_795_255_200), ("2026-11-21T05:00:00-0500", 1_795_255_200),
      ("2026-11-21", 1_795_219_200), ("2024-02-29", 1_709_164_800), ("1970-01-01", 0),
      ("2000-03-01", 951_868_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
  func read(text: String, seconds: Int64) throws {
    #expect(try Expiration(text, now: Self.now).seconds == seconds)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      ("", ExpirationError.empty), ("soon", .unreadable), ("-1", .unreadable), ("1.5", .unreadable),
      ("h", .unreadable), ("1h30m", .unreadable), ("-1h", .unreadable), ("1y", .unreadable),
      ("2026-02-29", .unreadable), ("2100-02-29", .unreadable), ("2026-13-01", .unreadable),
      ("2026-00-10", .unreadable), ("2026-04-31", .unreadable), ("2026-1-1", .unreadable),
      ("2026-11-21T10:00:00", .unreadable), ("2026-11-21T24:00:00Z", .unreadable),
      ("2026-11-21 10:00:00Z", .unreadable), ("2026-11-21T10:00:00Zx", .unreadable),
      ("2026-11-21T", .unreadable), ("1970-01-01T00:00:00+01:00", .outOfRange),
      ("99999999999999999999", .outOfRange), ("9223372036854775807s", .outOfRange),
      ("٣", .unreadable),
    ])
  func refused(text: String, error: ExpirationError) {
    #expect(throws: error) { try Expiration(text, now: Self.now) }
  }

  @Test("The header's own form is digits alone", arguments: ["1h", "2026-11-21", "", "+5"])
  func wire(text: String) throws {
    #expect(throws: ExpirationError.self) { try Expiration(wire: text) }
    #expect(try Expiration(wire: "0") == .neverStored)
  }

  @Test("A draft gets the header's form, or keeps what it cannot read")
  func draftField() {
    #expect(DraftField.expiration("1h", now: Self.now).value == "1700003600")
    #expect(DraftField.expiration("soon", now: Self.now).value == "soon")
  }
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

  @Test("may lie before 1970, and is kept to four digits of the year")
  func edges() {
    #expect(ISO8601.text(seconds: -1) == "1969-12-31T23:59:59Z")
    #expect(ISO8601.text(seconds: .max) == "9999-12-31T23:59:59Z")
    #expect(ISO8601.text(seconds: .min) == "0000-01-01T00:00:00Z")
  }
}
