internal import APNS

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
  }

  /// How often a push is sent again that was refused or in doubt.
  static let resendLimit = 3

  /// The step after an answer.
  ///
  /// - Parameters:
  ///   - resends: how often the push was sent again already.
  ///   - wasRenewed: whether one of these times was for the sake of a new provider token.
  static func step(after response: Response, resends: Int, wasRenewed: Bool) -> Step {
    switch response.retry {
    case nil: .end(.accepted)
    case .never, .afterFix, .credentials: .end(.rejected)
    case .newConnection: resends < resendLimit ? .resend : .end(.deferred)
    case .newProviderToken: wasRenewed ? .end(.rejected) : .resendWithNewToken
    case .keepToken, .slowToken, .later: .end(.deferred)
    }
  }

  /// The step after the server certainly did not process an attempt.
  ///
  /// - Parameter wasInDoubt: whether an earlier attempt may have been processed.
  static func stepWhenNotProcessed(resends: Int, wasInDoubt: Bool) -> Step {
    if resends < resendLimit { return .resend }
    return .end(wasInDoubt ? .unknown : .deferred)
  }

  /// The step after an attempt that may or may not have been processed.
  static func stepInDoubt(resends: Int) -> Step {
    resends < resendLimit ? .resend : .end(.unknown)
  }

  /// The outcome of a push that waits to be sent again when the run ends.
  static func outcomeWhenStopped(wasInDoubt: Bool) -> Outcome {
    wasInDoubt ? .unknown : .notAttempted
  }
}
