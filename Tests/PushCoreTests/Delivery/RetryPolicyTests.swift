import APNS
import Testing

@testable import PushCore

@Suite("The retry policy")
struct RetryPolicyTests {
  @Test(
    "Each reason has its step",
    arguments: [
      (Reason.badDeviceToken, RetryPolicy.Step.end(.rejected)),
      (.unregistered, .end(.rejected)),
      (.payloadTooLarge, .end(.rejected)),
      (.badTopic, .end(.rejected)),
      (.invalidProviderToken, .end(.rejected)),
      (.expiredProviderToken, .resendWithNewToken),
      (.idleTimeout, .resend),
      (.unrelatedKeyID, .resend),
      (.tooManyProviderTokenUpdates, .end(.deferred)),
      (.tooManyRequests, .end(.deferred)),
      (.internalServerError, .end(.deferred)),
      (.serviceUnavailable, .end(.deferred)),
      (.shutdown, .end(.deferred)),
    ])
  func reasons(_ reason: Reason, _ step: RetryPolicy.Step) throws {
    let response = Response(status: try #require(reason.info).status, reason: reason)
    #expect(RetryPolicy.step(after: response, resends: 0, wasRenewed: false) == step)
  }

  @Test("200 is accepted, whatever was tried before")
  func accepted() {
    let response = Response(status: .accepted)
    for resends in 0...5 {
      let step = RetryPolicy.step(after: response, resends: resends, wasRenewed: resends > 2)
      #expect(step == .end(.accepted))
    }
  }

  @Test("A provider token is renewed once for a push, however often it was sent again before")
  func renewal() {
    let response = Response(status: .forbidden, reason: .expiredProviderToken)
    let first = RetryPolicy.step(after: response, resends: 2, wasRenewed: false)
    #expect(first == .resendWithNewToken)
    let second = RetryPolicy.step(after: response, resends: 1, wasRenewed: true)
    #expect(second == .end(.rejected))
  }

  @Test("After three resends it is over")
  func limits() {
    let idle = Response(status: .badRequest, reason: .idleTimeout)
    let last = RetryPolicy.step(after: idle, resends: 3, wasRenewed: false)
    #expect(last == .end(.deferred))
    #expect(RetryPolicy.stepInDoubt(resends: 2) == .resend)
    #expect(RetryPolicy.stepInDoubt(resends: 3) == .end(.unknown))
    #expect(RetryPolicy.stepWhenNotProcessed(resends: 2, wasInDoubt: true) == .resend)
    #expect(RetryPolicy.stepWhenNotProcessed(resends: 3, wasInDoubt: false) == .end(.deferred))
    #expect(RetryPolicy.stepWhenNotProcessed(resends: 3, wasInDoubt: true) == .end(.unknown))
    #expect(RetryPolicy.outcomeWhenStopped(wasInDoubt: false) == .notAttempted)
    #expect(RetryPolicy.outcomeWhenStopped(wasInDoubt: true) == .unknown)
  }
}
