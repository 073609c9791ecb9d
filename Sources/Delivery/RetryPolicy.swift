internal import APNS
internal import PushModel

/// What to do after an attempt. A value: the retry table of the design, one function per way an
/// attempt can end.
struct RetryPolicy {
  /// The next step for a push.
  enum Step: Equatable {
    /// This is its outcome.
    case end(Outcome)
    /// Send it again now, on this connection if it still takes pushes.
    case resend
    /// Send it again on a new connection with a new provider token.
    case resendWithNewToken
    /// Send it again after so many milliseconds.
    case wait(milliseconds: Int)
  }

  /// How often a push is sent again that was refused or in doubt.
  static let resendLimit = 3

  /// How often a device token is tried that gets too many pushes (429).
  static let slowTokenTries = 5

  /// The longest wait of all, in milliseconds.
  static let longestWait = 24 * 60 * 60_000

  var rules = RetryRules()

  /// The step after an answer.
  ///
  /// - Parameters:
  ///   - isSignedIn: whether the credentials were good before in this run. When they are no more,
  ///     the push is not to blame, and goes with the next ones.
  ///   - isReplaceable: whether an expired provider token can be replaced.
  ///   - jitter: 0 to 1, drawn at random: spreads the waits over a tenth more.
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

  /// The outcome of a push that waits to be sent again when the run ends.
  static func outcomeWhenStopped(_ push: PendingPush.Trials) -> Outcome {
    if push.isInDoubt { return .unknown }
    return push.slowTries + push.retries > 0 ? .deferred : .notAttempted
  }
}
