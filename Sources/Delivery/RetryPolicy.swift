internal import APNS
internal import HTTP2
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
  ///   - isReplaceable: whether an expired provider token can be replaced.
  ///   - jitter: 0 to 1, drawn at random: adds up to a tenth to each wait.
  func step(
    after response: Response, _ push: PendingPush.Trials,
    isReplaceable: @autoclosure () -> Bool = true, jitter: @autoclosure () -> Double
  ) -> Step {
    let refused = Step.end(rules.rejectsForCredentials ? .rejected : .deferred)
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

  fileprivate static func wait(first: Int, doublings: Int, _ jitter: Double) -> Int {
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

/// The user's rules for pushes that could not be delivered at once.
public struct RetryRules: Sendable, Hashable {
  /// The number of resends after APNs asked to come back later (5xx); 0 leaves them to
  /// `fanfare resume`.
  public var retries: Int

  /// The wait before the first of these resends, in milliseconds; it doubles each time. Apple asks
  /// for 15 minutes ("Handling notification responses from APNs").
  public var retryDelayMilliseconds: Int

  /// A push that may have been processed is never sent again.
  public var isAtMostOnce: Bool

  /// The first wait between attempts at a device token that gets too many pushes, in milliseconds;
  /// it doubles each time.
  public var slowTokenGapMilliseconds = 10_000

  /// A push waits when its device token gets too many (429). In a run of one push it does not,
  /// since a user is waiting.
  public var waitsForSlowTokens: Bool

  /// A push is rejected, rather than deferred, when APNs refuses the credentials. Resuming its run
  /// sends it again; a worker defers it, so that it stays in the queue.
  public var rejectsForCredentials: Bool

  /// The time that a push waits for all of these resends, in milliseconds, without jitter.
  public var totalDelayMilliseconds: Int {
    (0..<retries).reduce(0) {
      $0 + RetryPolicy.wait(first: retryDelayMilliseconds, doublings: $1, 0)
    }
  }

  /// Creates rules with the design's defaults.
  public init(
    retries: Int = 0, retryDelayMilliseconds: Int = 15 * 60_000, isAtMostOnce: Bool = false,
    waitsForSlowTokens: Bool = true, rejectsForCredentials: Bool = true
  ) {
    self.retries = retries
    self.retryDelayMilliseconds = retryDelayMilliseconds
    self.isAtMostOnce = isAtMostOnce
    self.waitsForSlowTokens = waitsForSlowTokens
    self.rejectsForCredentials = rejectsForCredentials
  }
}

/// The wait that an answer's `retry-after` asks for (RFC 9110 section 10.2.3). A value.
struct RetryAfter {
  /// The longest wait that is granted, in seconds.
  private static let longest: Int64 = 3600

  /// The length of the wait, in nanoseconds.
  let nanoseconds: UInt64

  /// - Parameters:
  ///   - text: the field's value: seconds, or a date.
  ///   - now: in seconds since 1970 UTC.
  /// - Returns: nil when it is neither, or asks for no wait.
  init?(_ text: String, now: Int64) {
    guard let seconds = Self.seconds(text) ?? HTTPDate.seconds(text).map({ $0 - now }), seconds > 0
    else { return nil }
    nanoseconds = UInt64(min(seconds, Self.longest)) * 1_000_000_000
  }

  /// Parses digits only. A number that does not fit counts as the largest that does.
  private static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int64(text) ?? .max
  }
}

/// Decides when to retry a connection and when to give up. A value.
struct Reconnect {
  /// The most consecutive failures of a connection before the run's first answer.
  private static let limitBeforeAnswer = 3
  /// The same limit after an answer came.
  private static let limitAfterAnswer = 10
  private static let firstDelayMilliseconds = 200
  private static let longestDelayMilliseconds = 60_000

  private var failures = 0
  private var failuresWithoutAnswer = 0
  private var answersSeen = 0

  /// Notes an answer over this connection that does not count against it.
  mutating func answered() {
    failures = 0
    failuresWithoutAnswer = 0
  }

  /// Notes that a connection could not be opened, or ended without such an answer.
  ///
  /// This connection does not give up while others of the run are answered: a server may accept
  /// fewer connections than it is offered.
  ///
  /// - Parameters:
  ///   - jitter: 0 to 1, drawn at random.
  ///   - answersOfRun: the number of such answers so far, over all connections.
  /// - Returns: the wait before the next try, in milliseconds; nil to give up.
  mutating func failed(jitter: Double, answersOfRun: Int) -> Int? {
    if answersOfRun != answersSeen { failuresWithoutAnswer = 0 }
    answersSeen = answersOfRun
    failures += 1
    failuresWithoutAnswer += 1
    let limit = answersOfRun > 0 ? Self.limitAfterAnswer : Self.limitBeforeAnswer
    return failuresWithoutAnswer < limit ? delay(jitter) : nil
  }

  private func delay(_ jitter: Double) -> Int {
    let doubled = Self.firstDelayMilliseconds << min(failures - 1, 20)
    let delay = Double(min(doubled, Self.longestDelayMilliseconds))
    return Int(delay * (0.5 + jitter / 2))
  }
}
