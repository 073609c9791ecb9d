internal import APNS
internal import Credentials
internal import HTTP2
internal import PushModel

// Handling of attempts that have ended.
extension Connection {
  /// Handles the attempts that have ended.
  ///
  /// - Returns: whether there were any.
  mutating func handleEnded(of link: inout ActiveLink) -> Bool {
    let count = link.gatherEnded()
    guard count > 0 else { return false }
    setting.control.opened(-count)
    let time = AnswerTime(setting.clock)
    var answers: [Breaker.Answer] = []
    while let attempt = link.nextEnded() {
      if attempt.isPlainlyAccepted {
        answers.addAccepted(of: setting.control.isJudged ? attempt.push.push.chunk : nil)
        accepted(attempt, time, &link)
      } else if let answer = handle(attempt, time, &link) {
        answers.append(answer)
      }
    }
    // Count the answers before releasing the other connections: if one of them then fails, it has
    // to know that the run had answers.
    if !answers.isEmpty { setting.control.answered(answers) }
    if link.window.isProven { setting.opening.end(by: index) }
    return true
  }

  /// Settles a push that was accepted at its first attempt, as nearly all are.
  private mutating func accepted(
    _ attempt: borrowing ActiveLink.EndedAttempt, _ time: AnswerTime, _ link: inout ActiveLink
  ) {
    report.accepted(after: time.nanoseconds(since: attempt.startedAt))
    link.accepted()
    reconnect.answered()
    outbox.add(
      AcceptedPush(
        index: attempt.push.push.index, latencyMicroseconds: time.latency(since: attempt.startedAt),
        answeredAt: time.epochMilliseconds),
      of: attempt.push.push.chunk)
  }

  /// - Returns: the answer to the attempt; nil when there was none.
  private mutating func handle(
    _ attempt: consuming ActiveLink.EndedAttempt, _ time: AnswerTime, _ link: inout ActiveLink
  ) -> Breaker.Answer? {
    var push = attempt.push
    push.trials.attempts += 1
    switch attempt.exchange.end {
    case .answered:
      let response = time.response(attempt.exchange)
      report.count(response, after: time.nanoseconds(since: attempt.startedAt))
      if !response.isAccepted { obeyRetryAfter(of: attempt.exchange) }
      let answer = time.answer(response, to: attempt.startedAt)
      let isLast = answered(push, answer, sentAt: attempt.startedAt, &link)
      // Most runs need not count another reference to the chunk.
      let chunk = setting.control.isJudged ? push.push.chunk : nil
      return Breaker.Answer(response: response, isLast: isLast, chunk: chunk)
    case .notProcessed, nil: goAgain(push)
    case .refused:
      report.troubles += 1
      refused(push)
    case .inDoubt:
      report.troubles += 1
      push.trials.wasSilent = push.trials.wasSilent || attempt.isGivenUp
      inDoubt(push)
    }
    return nil
  }

  /// Holds the run, except for a run of one push, whose user is waiting.
  private func obeyRetryAfter(of exchange: Exchange) {
    guard policy.rules.waitsForSlowTokens, let text = exchange.headers["retry-after"],
      let wait = RetryAfter(text, now: setting.clock.epochSeconds)
    else { return }
    let now = setting.clock.monotonic()
    setting.control.hold(until: now + wait.nanoseconds, now: now)
    setting.opening.begin()
  }

  /// - Returns: whether this settles the push.
  private mutating func answered(
    _ push: PendingPush, _ answer: PendingPush.Answer, sentAt start: UInt64,
    _ link: inout ActiveLink
  ) -> Bool {
    let response = answer.response
    link.answered(response)
    if !response.needsNewConnection { reconnect.answered() }
    let token = link.providerToken
    // The push may have been sent with an older token than the link has now.
    let isReplaced = start < link.tokenSince
    let step = policy.step(
      after: response, push.trials,
      isReplaceable: isReplaced || token.map(setting.credentials.replaces) ?? false,
      jitter: setting.clock.chance())
    switch step {
    case .end(let outcome):
      record(push, outcome, answer)
      return true
    case .resend: sendAgain(push)
    case .resendWithNewToken:
      needsNewToken = token
      var push = push
      push.trials.wasRenewed = true
      sendAgain(push)
    case .wait(let milliseconds): return postpone(push, milliseconds, answer)
    }
    return false
  }

  /// Keeps a push for later.
  ///
  /// - Returns: whether the push was settled instead, because too many wait already.
  private mutating func postpone(
    _ push: PendingPush, _ milliseconds: Int, _ answer: PendingPush.Answer
  ) -> Bool {
    var push = push
    lastPostponement = .init(status: answer.response.status, reason: answer.response.reason)
    if answer.response.retry == .slowToken {
      push.trials.slowTries += 1
    } else {
      push.trials.retries += 1
    }
    let due = setting.clock.monotonic() + UInt64(milliseconds) * 1_000_000
    let isAwaited = push.push.chunk.message?.waitsForSlowTokens == false
    if !(isAwaited && answer.response.retry == .slowToken), backlog.add(push, dueAt: due) {
      lastAnswers[push.push.sequence] = answer
      setting.plan.observer?(.resent(push.push, answer.response))
      return false
    }
    record(push, .deferred, answer)
    return true
  }

  private mutating func refused(_ push: PendingPush) {
    if case .end(let outcome) = policy.stepWhenRefused(push.trials) {
      record(push, outcome)
    } else {
      sendAgain(push)
    }
  }

  private mutating func inDoubt(_ push: PendingPush) {
    var push = push
    push.trials.isInDoubt = true
    if case .end(let outcome) = policy.stepInDoubt(push.trials) {
      record(push, outcome)
    } else {
      sendAgain(push)
    }
  }

  private mutating func sendAgain(_ push: PendingPush) {
    var push = push
    push.trials.resends += 1
    setting.plan.observer?(.resent(push.push, nil))
    goAgain(push)
  }

  /// Has a push sent again, or ends it if it would wait for the end of a pause.
  private mutating func goAgain(_ push: PendingPush) {
    let isAwaited = push.push.chunk.message?.waitsForSlowTokens == false
    if isAwaited, setting.control.heldUntil(now: setting.clock.monotonic()) != nil {
      return recordUnanswered(push, push.trials.isInDoubt ? .unknown : .deferred)
    }
    backlog.add(again: push)
  }

  /// Records a push that is not sent again, with the answer to its last attempt, if there was one.
  mutating func recordUnanswered(_ push: PendingPush, _ outcome: Outcome) {
    record(push, outcome, lastAnswers.removeValue(forKey: push.push.sequence))
  }

  mutating func record(
    _ push: PendingPush, _ outcome: Outcome, _ answer: PendingPush.Answer? = nil
  ) {
    outbox.add(
      PushResult(
        push: push.push, outcome: outcome, response: answer?.response,
        attempts: push.trials.attempts, wasResentInDoubt: push.trials.wasResentInDoubt,
        latencyMicroseconds: answer?.latencyMicroseconds, answeredAt: answer?.answeredAt))
  }
}

extension ConnectionScaling.Report {
  /// - Parameter nanoseconds: the time from the attempt to its answer.
  mutating func count(_ response: Response, after nanoseconds: UInt64) {
    if response.isAccepted { return accepted(after: nanoseconds) }
    answers += 1
    if response.status.rawValue == 429 || response.status.rawValue >= 500 { troubles += 1 }
  }

  fileprivate mutating func accepted(after nanoseconds: UInt64) {
    answers += 1
    quickest = min(quickest, nanoseconds)
  }
}

/// The arrival time of answers that were read together.
private struct AnswerTime {
  private let monotonic: UInt64
  let epochMilliseconds: Int64

  init(_ clock: RunClock) {
    monotonic = clock.monotonic()
    epochMilliseconds = clock.epochMilliseconds()
  }

  /// The answer from APNs, with both clocks' times if they may be the cause.
  func response(_ exchange: Exchange) -> Response {
    var response = Response(exchange)
    guard response.reason == .expiredProviderToken || response.reason == .invalidProviderToken
    else { return response }
    let server = exchange.headers["date"].flatMap(HTTPDate.seconds)
    // Without the server's time, an invalid token probably has another cause.
    if response.reason == .expiredProviderToken || server != nil {
      response.clocks = Clocks(here: epochMilliseconds / 1000, server: server)
    }
    return response
  }

  func answer(_ response: Response, to start: UInt64) -> PendingPush.Answer {
    PendingPush.Answer(
      response: response, latencyMicroseconds: latency(since: start), answeredAt: epochMilliseconds)
  }

  /// The time since a request, in microseconds.
  func latency(since start: UInt64) -> Int { Int(nanoseconds(since: start) / 1000) }

  func nanoseconds(since start: UInt64) -> UInt64 { monotonic - min(start, monotonic) }
}

extension Response {
  /// The answer that APNs gave in an exchange.
  init(_ exchange: Exchange) {
    let uniqueID = exchange.headers["apns-unique-id"]
    self = exchange.body.withUnsafeBufferPointer { body in
      Response(status: Status(rawValue: exchange.status), uniqueID: uniqueID, body: body)
    }
  }
}
