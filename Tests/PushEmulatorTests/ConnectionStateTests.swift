import APNS
import Testing

@testable import PushEmulator

@Suite("ConnectionState")
struct ConnectionStateTests {
  static let start = 1_000_000

  /// A token that was issued some seconds after the start.
  static func token(
    _ issuedAt: Int, key: String = "ABC123DEFG", team: String = "DEF123GHIJ", signature: UInt8 = 0
  ) -> Credential {
    .token(
      ReceivedToken(
        keyID: key, teamID: team, issuedAt: start + issuedAt, signature: [signature], oddities: []))
  }

  /// A request: when it comes, with what, and what is to become of it.
  struct Event: Sendable {
    var at: Double
    var credential: Credential
    var expected: Expected
  }

  enum Expected: Sendable, Equatable { case announce(Int), admit, refuse(Reason) }

  struct Story: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var events: [Event]
  }

  static let stories = [
    Story(
      testDescription: "the first valid token opens the gate, once",
      events: [
        Event(at: 0, credential: .missing, expected: .refuse(.missingProviderToken)),
        Event(at: 1, credential: .malformed(.notBearer), expected: .refuse(.invalidProviderToken)),
        Event(at: 2, credential: token(0), expected: .announce(1000)),
        Event(at: 3, credential: token(0), expected: .admit),
        Event(at: 4, credential: .missing, expected: .refuse(.missingProviderToken)),
        Event(at: 5, credential: token(0), expected: .admit),
      ]),
    Story(
      testDescription: "a token lives for an hour",
      events: [
        Event(at: 3600, credential: token(0), expected: .announce(1000)),
        Event(at: 3601, credential: token(0), expected: .refuse(.expiredProviderToken)),
      ]),
    Story(
      testDescription: "an expired first token does not open the gate",
      events: [
        Event(at: 3601, credential: token(0), expected: .refuse(.expiredProviderToken)),
        Event(at: 3601, credential: token(3000), expected: .announce(1000)),
      ]),
    Story(
      testDescription: "a token may be a minute ahead",
      events: [
        Event(at: 0, credential: token(61), expected: .refuse(.invalidProviderToken)),
        Event(at: 0, credential: token(60), expected: .announce(1000)),
      ]),
    Story(
      testDescription: "tokens change every 20 minutes at most",
      events: [
        Event(at: 0, credential: token(0), expected: .announce(1000)),
        Event(at: 1199, credential: token(1199), expected: .refuse(.tooManyProviderTokenUpdates)),
        Event(at: 1199, credential: token(0), expected: .admit),
        Event(at: 1200, credential: token(1200), expected: .admit),
        Event(at: 1201, credential: token(0), expected: .refuse(.tooManyProviderTokenUpdates)),
        Event(at: 1202, credential: token(1200), expected: .admit),
      ]),
    Story(
      testDescription: "an issue time may be any number of 64 bits",
      events: [
        Event(at: 0, credential: token(.min), expected: .refuse(.expiredProviderToken)),
        Event(at: 0, credential: token(.max - start), expected: .refuse(.invalidProviderToken)),
      ]),
    Story(
      testDescription: "the same claims signed again are another token",
      events: [
        Event(at: 0, credential: token(0), expected: .announce(1000)),
        Event(
          at: 1, credential: token(0, signature: 1),
          expected: .refuse(.tooManyProviderTokenUpdates)),
      ]),
    Story(
      testDescription: "key and team stay those of the first token",
      events: [
        Event(at: 0, credential: token(0), expected: .announce(1000)),
        Event(
          at: 1300, credential: token(1300, key: "OTHERKEY00"), expected: .refuse(.unrelatedKeyID)),
        Event(
          at: 1300, credential: token(1300, key: "OTHERKEY00", team: "OTHERTEAM0"),
          expected: .refuse(.invalidProviderToken)),
        Event(at: 1300, credential: token(1300), expected: .admit),
      ]),
    Story(
      testDescription: "a certificate needs no token",
      events: [
        Event(at: 0, credential: .certificate, expected: .admit),
        Event(at: 0, credential: .badCertificate(.expired), expected: .refuse(.badCertificate)),
        Event(
          at: 0, credential: .badCertificate(.otherEnvironment),
          expected: .refuse(.badCertificateEnvironment)),
      ]),
  ]

  @Test("judges credentials as they come", arguments: stories)
  func judges(_ story: Story) {
    var state = ConnectionState()
    for event in story.events {
      let now = Double(Self.start) + event.at
      #expect(
        Self.outcome(&state, event.credential, now) == event.expected, "after \(event.at) s")
    }
  }

  private static func outcome(
    _ state: inout ConnectionState, _ credential: Credential, _ now: Double
  ) -> Expected {
    do throws(APNSRefusal) {
      return try state.admit(credential, at: now).map { .announce($0) } ?? .admit
    } catch {
      return .refuse(error.reason)
    }
  }
}
