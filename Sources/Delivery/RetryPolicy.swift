internal import APNS
internal import PushModel

/// Decides what follows an attempt. A value: the retry table of the design, with one function for
/// each way an attempt can end.
struct RetryPolicy {
  /// The next step for a push.
  enum Step: Equatable {
    /// End with this outcome.
    case end(Outcome)
    /// Send it again now, on this connection if it still takes pushes.
    case resend
    /// Send it again on a new connection with a new provider token.
    case resendWithNewToken
    /// Send it again after this delay.
    case wait(milliseconds: Int)
  }

  /// The most resends of a push that was refused or is in doubt.
  static let resendLimit = 3

  /// The most attempts at a device token that gets too many pushes (429).
  static let slowTokenTries = 5

  /// The longest wait, in milliseconds.
  static let longestWait = 24 * 60 * 60_000

  var rules = RetryRules()

  /// The step after an answer.
  ///
  /// - Parameters:
  ///   - isSignedIn: whether the credentials worked earlier in this run. If they no longer do, the
  ///     push is not at fault and is deferred.
  ///   - isReplaceable: whether an expired provider token can be replaced.
  ///   - jitter: 0 to 1, drawn at random: adds up to a tenth to each wait.
  func step(
    after response: Response, _ push: PendingPush.Trials, isSignedIn: Bool = false,
    isReplaceable: @autoclosure () -> Bool = true, jitter: @autoclosure () -> Double
  ) -> Step {
    let isToBlame = rules.rejectsForCredentials && !isSignedIn
    let refused = Step.end(isToBlame ? .rejected : .deferred)
    return switch response.retry {
    case nil: .end(.accepted)
    case .never, .afterFix: .end(.rejected)
    case .credentials: refused
    case .newConnection: push.resends < Self.resendLimit ? .resend : .end(.deferred)
    case .newProviderToken:
      !push.wasRenewed && isReplaceable() ? .resendWithNewToken : refused
    case .slowToken: stepForSlowToken(tries: push.slowTries, jitter())
    case .later: stepForLater(retries: push.retries, jitter())
    case .keepToken: .end(.deferred)
    }
  }

  private func stepForSlowToken(tries: Int, _ jitter: Double) -> Step {
    guard rules.waitsForSlowTokens, tries + 1 < Self.slowTokenTries else { return .end(.deferred) }
    return .wait(
      milliseconds: Self.wait(first: rules.slowTokenGapMilliseconds, doublings: tries, jitter))
  }

  private func stepForLater(retries: Int, _ jitter: Double) -> Step {
    guard retries < rules.retries else { return .end(.deferred) }
    return .wait(
      milliseconds: Self.wait(first: rules.retryDelayMilliseconds, doublings: retries, jitter))
  }

  private static func wait(first: Int, doublings: Int, _ jitter: Double) -> Int {
    let doubled = min(Double(first) * Double(1 << min(doublings, 40)), Double(longestWait))
    return Int(doubled * (1 + jitter / 10))
  }

  /// The step after the server refused to process an attempt.
  func stepWhenRefused(_ push: PendingPush.Trials) -> Step {
    if push.resends < Self.resendLimit { return .resend }
    return .end(push.isInDoubt ? .unknown : .deferred)
  }

  /// The step after an attempt that may or may not have been processed.
  func stepInDoubt(_ push: PendingPush.Trials) -> Step {
    !rules.isAtMostOnce && push.resends < Self.resendLimit ? .resend : .end(.unknown)
  }

  /// The outcome of a push that is waiting for a resend when the run ends.
  static func outcomeWhenStopped(_ push: PendingPush.Trials) -> Outcome {
    if push.isInDoubt { return .unknown }
    return push.slowTries + push.retries > 0 ? .deferred : .notAttempted
  }
}
