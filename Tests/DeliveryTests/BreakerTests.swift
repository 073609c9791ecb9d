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
      .expiredProviderToken, .invalidPushType,
    ])
  func fromTheStart(_ reason: Reason) {
    #expect(trip(answers(reason, 2)) == nil)
    #expect(trip(answers(reason, 9)) == 3)
  }

  @Test("Once something was accepted it takes twenty in a row")
  func later() {
    #expect(trip(accepted(1) + answers(.invalidProviderToken, 30)) == 21)
    #expect(trip(answers(.badTopic, 2) + accepted(1) + answers(.badTopic, 19)) == nil)
    let broken = answers(.badTopic, 19) + accepted(1) + answers(.badTopic, 19)
    #expect(trip(accepted(1) + broken) == nil)
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
}
