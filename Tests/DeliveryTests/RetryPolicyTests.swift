import APNS
import PushModel
import Testing

@testable import Delivery

@Suite("The retry policy")
struct RetryPolicyTests {
  private static let policy = RetryPolicy(rules: RetryRules(retries: 2))

  private static func trials(
    _ change: (inout PendingPush.Trials) -> Void = { _ in }
  ) -> PendingPush.Trials {
    var trials = PendingPush.Trials()
    change(&trials)
    return trials
  }

  private static func step(
    _ reason: Reason, _ rules: RetryRules = RetryRules(),
    _ change: (inout PendingPush.Trials) -> Void = { _ in }
  ) throws -> RetryPolicy.Step {
    let response = Response(status: try #require(reason.info).status, reason: reason)
    return RetryPolicy(rules: rules).step(after: response, trials(change), jitter: 0)
  }

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
      (.tooManyRequests, .wait(milliseconds: 10_000)),
      (.internalServerError, .end(.deferred)),
      (.serviceUnavailable, .end(.deferred)),
      (.shutdown, .end(.deferred)),
    ])
  func reasons(_ reason: Reason, _ step: RetryPolicy.Step) throws {
    #expect(try Self.step(reason) == step)
  }

  @Test("200 is accepted, whatever was tried before")
  func accepted() {
    for resends in 0...5 {
      let trials = Self.trials {
        $0.resends = resends
        $0.wasRenewed = resends > 2
      }
      let step = Self.policy.step(after: Response(status: .accepted), trials, jitter: 0)
      #expect(step == .end(.accepted))
    }
  }

  @Test("A provider token is renewed once for a push, however often it was sent again before")
  func renewal() throws {
    #expect(try Self.step(.expiredProviderToken) { $0.resends = 2 } == .resendWithNewToken)
    #expect(try Self.step(.expiredProviderToken) { $0.wasRenewed = true } == .end(.rejected))
  }

  @Test("A push is not sent again when there is no other provider token")
  func youngToken() {
    let response = Response(status: .forbidden, reason: .expiredProviderToken)
    let step = Self.policy.step(
      after: response, Self.trials(), isReplaceable: false, jitter: 0)
    #expect(step == .end(.rejected))
  }

  @Test("A device token that gets too many pushes is tried five times, with growing gaps")
  func slowToken() throws {
    let steps = try (0...5).map { tries in
      try Self.step(.tooManyRequests) { $0.slowTries = tries }
    }
    let gaps: [RetryPolicy.Step] = [10_000, 20_000, 40_000, 80_000].map { .wait(milliseconds: $0) }
    #expect(steps == gaps + [.end(.deferred), .end(.deferred)])
  }

  @Test("A run of one push waits for no slow token")
  func onePush() throws {
    let rules = RetryRules(waitsForSlowTokens: false)
    #expect(try Self.step(.tooManyRequests, rules) == .end(.deferred))
  }

  @Test("Refused credentials reject a push, but a worker leaves it in the queue")
  func credentials() throws {
    var rules = RetryRules()
    #expect(try Self.step(.invalidProviderToken, rules) == .end(.rejected))
    rules.rejectsForCredentials = false
    #expect(try Self.step(.invalidProviderToken, rules) == .end(.deferred))
  }

  @Test("After a 5xx a push waits as often as the user said, twice as long each time")
  func later() throws {
    let rules = RetryRules(retries: 3, retryDelayMilliseconds: 60_000)
    let steps = try (0...3).map { retries in
      try Self.step(.serviceUnavailable, rules) { $0.retries = retries }
    }
    let waits: [RetryPolicy.Step] = [60_000, 120_000, 240_000].map { .wait(milliseconds: $0) }
    #expect(steps == waits + [.end(.deferred)])
  }

  @Test("Chance makes a wait longer by a tenth at most, and no wait is longer than a day")
  func jitter() {
    let rules = RetryRules(retries: 100, retryDelayMilliseconds: 60_000)
    let response = Response(status: Status(rawValue: 503))
    let policy = RetryPolicy(rules: rules)
    #expect(policy.step(after: response, Self.trials(), jitter: 1) == .wait(milliseconds: 66_000))
    let late = Self.trials { $0.retries = 99 }
    #expect(policy.step(after: response, late, jitter: 0) == .wait(milliseconds: 86_400_000))
  }

  @Test(
    "The waits of a push add up, in quarters of an hour",
    arguments: [(0, 0), (6, 63), (20, 1375), (100, 9055)])
  func total(_ row: (retries: Int, quarters: Int)) {
    let rules = RetryRules(retries: row.retries)
    #expect(rules.totalDelayMilliseconds == row.quarters * 15 * 60_000)
  }

  @Test("After three resends it is over")
  func limits() throws {
    #expect(try Self.step(.idleTimeout) { $0.resends = 3 } == .end(.deferred))
    let two = Self.trials { $0.resends = 2 }
    let three = Self.trials { $0.resends = 3 }
    #expect(Self.policy.stepInDoubt(two) == .resend)
    #expect(Self.policy.stepInDoubt(three) == .end(.unknown))
    #expect(Self.policy.stepWhenRefused(two) == .resend)
    #expect(Self.policy.stepWhenRefused(three) == .end(.deferred))
    let doubtful = Self.trials {
      $0.resends = 3
      $0.isInDoubt = true
    }
    #expect(Self.policy.stepWhenRefused(doubtful) == .end(.unknown))
  }

  @Test("At most once: what is in doubt is not sent again, what was not processed is")
  func atMostOnce() {
    let policy = RetryPolicy(rules: RetryRules(isAtMostOnce: true))
    #expect(policy.stepInDoubt(Self.trials()) == .end(.unknown))
    #expect(policy.stepWhenRefused(Self.trials()) == .resend)
  }

  @Test("A run that ends early says what it knows of the pushes that wait")
  func stopped() {
    #expect(RetryPolicy.outcomeWhenStopped(Self.trials()) == .notAttempted)
    #expect(RetryPolicy.outcomeWhenStopped(Self.trials { $0.isInDoubt = true }) == .unknown)
    #expect(RetryPolicy.outcomeWhenStopped(Self.trials { $0.retries = 1 }) == .deferred)
    #expect(RetryPolicy.outcomeWhenStopped(Self.trials { $0.slowTries = 1 }) == .deferred)
  }
}
