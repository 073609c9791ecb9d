import APNS
import Runs
import Testing

/// A refused device token is dead unless the list says that the app registered it again later.
@Suite("A dead device token")
struct DeadTokenRuleTests {
  static let registrations: [(refused: Int64?, registered: Int64?, isAlive: Bool)] = [
    (1_700_000_000_000, 1_700_000_001, true), (1_700_000_000_000, 1_700_000_000, false),
    (1_700_000_000_000, 1_699_999_999, false), (1_700_000_000_999, 1_700_000_001, true),
    (1_700_000_000_999, 1_700_000_000, false), (1_700_000_000_000, nil, false),
    (nil, 1_700_000_001, false), (nil, nil, false),
  ]

  @Test("lives where it was registered after the time of the answer", arguments: registrations)
  func registered(_ row: (refused: Int64?, registered: Int64?, isAlive: Bool)) {
    let response = Response(status: .gone, reason: .unregistered, timestamp: row.refused)
    #expect(response.predates(registration: row.registered) == row.isAlive)
  }

  static let answers: [(status: Int, reason: String?, DeadToken)] = [
    (410, "Unregistered", .yes), (410, "ExpiredToken", .yes), (400, "BadDeviceToken", .candidate),
    (400, "DeviceTokenNotForTopic", .no), (400, "BadTopic", .no), (403, "Forbidden", .no),
    (429, "TooManyRequests", .no), (500, "InternalServerError", .no), (503, "Shutdown", .no),
    (200, nil, .no),
  ]

  @Test("is told by few answers", arguments: answers)
  func answered(_ row: (status: Int, reason: String?, dead: DeadToken)) {
    let response = Response(
      status: Status(rawValue: row.status), reason: row.reason.flatMap { Reason(rawValue: $0) })
    #expect(response.deadToken == row.dead)
  }
}
