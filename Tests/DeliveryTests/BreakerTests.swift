import APNS
import Testing

@testable import Delivery

@Suite("The breaker")
struct BreakerTests {
  /// The number of the answer that trips a breaker; nil when none does.
  private func trip(_ answers: [Breaker.Answer]) -> Int? {
    var breaker = Breaker()
    return answers.firstIndex { breaker.answered($0) }.map { $0 + 1 }
  }

  private func answers(_ reason: Reason, _ count: Int, isLast: Bool = true) -> [Breaker.Answer] {
    let status = reason.info?.status ?? .badRequest
    let response = Response(status: status, reason: reason)
    return Array(repeating: Breaker.Answer(response: response, isLast: isLast), count: count)
  }

  private func accepted(_ count: Int) -> [Breaker.Answer] {
    Array(repeating: Breaker.Answer(response: Response(status: .accepted)), count: count)
  }

  @Test(
    "Three answers that every push would get stop a run in which nothing was accepted",
    arguments: [
      Reason.invalidProviderToken, .badTopic, .missingTopic, .badEnvironmentKeyID,
      .expiredProviderToken, .invalidPushType, .forbidden,
    ])
  func fromTheStart(_ reason: Reason) {
    #expect(trip(answers(reason, 2)) == nil)
    #expect(trip(answers(reason, 9)) == 3)
  }

  @Test("Once something was accepted it takes twenty in a row")
  func later() {
    #expect(trip(accepted(1) + answers(.badTopic, 30)) == 21)
    #expect(trip(answers(.badTopic, 2) + accepted(1) + answers(.badTopic, 19)) == nil)
    let broken = answers(.badTopic, 19) + accepted(1) + answers(.badTopic, 19)
    #expect(trip(accepted(1) + broken) == nil)
  }

  @Test(
    "Three refusals of the credentials stop a run whatever was accepted before",
    arguments: [
      Reason.forbidden, .invalidProviderToken, .badCertificate, .badEnvironmentKey,
      .expiredProviderToken,
    ])
  func revoked(_ reason: Reason) {
    #expect(trip(accepted(100) + answers(reason, 9)) == 103)
    let broken = answers(reason, 2) + accepted(1) + answers(reason, 2) + accepted(1)
    #expect(trip(accepted(100) + broken + broken) == nil)
  }

  @Test("Any other answer breaks the row", arguments: [Reason.unregistered, .serviceUnavailable])
  func row(_ reason: Reason) {
    #expect(trip(answers(.badTopic, 2) + answers(reason, 1) + answers(.badTopic, 2)) == nil)
  }

  @Test("A thousand pushes in flight when the provider token expires stop nothing")
  func expiry() {
    #expect(trip(accepted(5) + answers(.expiredProviderToken, 1000, isLast: false)) == nil)
    let again = answers(.expiredProviderToken, 1, isLast: false) + answers(.expiredProviderToken, 1)
    #expect(trip(again + again + again) == 6)
  }

  @Test(
    "Nine bad device tokens in ten of the last two hundred stop a run",
    arguments: [Reason.badDeviceToken, .deviceTokenNotForTopic])
  func wave(_ reason: Reason) {
    #expect(trip(answers(reason, 199)) == nil)
    #expect(trip(answers(reason, 200)) == 200)
    #expect(trip(accepted(20) + answers(reason, 180)) == 200)
    #expect(trip(accepted(21) + answers(reason, 179)) == nil)
    #expect(trip(accepted(100_000) + answers(reason, 300)) == 100_180)
    let mixed = (0..<2000).flatMap { _ in answers(reason, 8) + accepted(1) }
    #expect(trip(mixed) == nil)
  }

  @Test(
    "Nineteen other refusals in twenty of the last thousand stop a run",
    arguments: [
      Reason.payloadTooLarge, .tooManyRequests, .tooManyProviderTokenUpdates, .internalServerError,
      .serviceUnavailable, .shutdown,
    ])
  func outage(_ reason: Reason) {
    #expect(trip(answers(reason, 999)) == nil)
    #expect(trip(answers(reason, 1000)) == 1000)
    #expect(trip(accepted(50) + answers(reason, 950)) == 1000)
    #expect(trip(accepted(51) + answers(reason, 949)) == nil)
    #expect(trip(accepted(100_000) + answers(reason, 2000)) == 100_950)
    let mixed = (0..<500).flatMap { _ in answers(reason, 18) + accepted(1) }
    #expect(trip(mixed) == nil)
  }

  @Test("An unknown status is a refusal like others")
  func unknownStatus() {
    let answer = Breaker.Answer(response: Response(status: Status(rawValue: 999)))
    #expect(trip(Array(repeating: answer, count: 2000)) == 1000)
  }

  @Test("A push that waits for its device token counts; one that only changes connections does not")
  func passing() {
    #expect(trip(answers(.tooManyRequests, 2000, isLast: false)) == 1000)
    #expect(trip(answers(.idleTimeout, 2000, isLast: false)) == nil)
  }

  @Test("A list of dead device tokens is sent to its end")
  func deadTokens() {
    #expect(trip(answers(.unregistered, 5000)) == nil)
    #expect(trip(answers(.expiredToken, 5000)) == nil)
  }

  // MARK: Several workers

  private func counters(_ answers: [Breaker.Answer]) -> Breaker.Counters {
    var breaker = Breaker()
    for answer in answers { _ = breaker.answered(answer) }
    return breaker.counters
  }

  @Test(
    "One worker's counters trip exactly when its breaker does",
    arguments: [
      Reason.badTopic, .badDeviceToken, .serviceUnavailable, .unregistered,
    ])
  func alone(_ reason: Reason) {
    for start in [0, 1, 60] {
      let answers = accepted(start) + answers(reason, 1100)
      let end = trip(answers) ?? answers.count + 1
      #expect(!Breaker.Counters.trips([counters(Array(answers.prefix(end - 1)))]))
      if end <= answers.count {
        #expect(Breaker.Counters.trips([counters(Array(answers.prefix(end)))]))
      }
    }
  }

  @Test("What each worker alone would bear stops them together")
  func together() {
    #expect(!Breaker.Counters.trips([]))
    let (once, good) = (counters(answers(.badTopic, 1)), counters(accepted(1)))
    #expect(!Breaker.Counters.trips([once, once]) && Breaker.Counters.trips([once, once, once]))
    #expect(!Breaker.Counters.trips([once, once, once, good]))
    let ten = counters(answers(.badTopic, 2))
    #expect(!Breaker.Counters.trips(Array(repeating: ten, count: 9) + [good, once]))
    #expect(Breaker.Counters.trips(Array(repeating: ten, count: 10) + [good]))
  }

  @Test("Shares are those of all answers: one worker's bad tokens are outweighed by the others'")
  func shares() {
    let bad = counters(accepted(1) + answers(.badDeviceToken, 99))
    #expect(!Breaker.Counters.trips([bad]) && Breaker.Counters.trips([bad, bad]))
    let worst = counters(accepted(1) + answers(.badDeviceToken, 1000))
    #expect(Breaker.Counters.trips([worst]))
    #expect(!Breaker.Counters.trips([worst, counters(accepted(100))]))
  }

  @Test("Counters come back from their bytes as they were")
  func bytes() {
    let all =
      accepted(3) + answers(.badDeviceToken, 300) + answers(.serviceUnavailable, 1500)
      + answers(.badTopic, 300)
    for count in [0, 1, 4, 250, 1800, all.count] {
      let counters = counters(Array(all.prefix(count)))
      #expect(counters.bytes.count == 11 && Breaker.Counters(counters.bytes) == counters)
    }
  }

  @Test(
    "Bytes that no breaker wrote are none",
    arguments: [
      [], [0], Array(repeating: 0, count: 10), Array(repeating: 0, count: 12),
      [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 201, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 233],
    ] as [[UInt8]])
  func noCounters(_ bytes: [UInt8]) { #expect(Breaker.Counters(bytes) == nil) }

  @Test("A run without a breaker has no counters")
  func control() {
    #expect(RunControl(usesBreaker: false).breakerCounters == nil)
    let control = RunControl()
    control.answered(accepted(2))
    #expect(control.breakerCounters == counters(accepted(2)))
  }
}
