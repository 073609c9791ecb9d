internal import APNS
internal import HTTP2

// What a connection does when attempts end.
extension Connection {
  mutating func handle(_ ended: [OpenLink.Attempt], of link: inout OpenLink) {
    guard !ended.isEmpty else { return }
    setting.control.opened(-ended.count)
    var answers: [Breaker.Answer] = []
    for attempt in ended {
      var push = attempt.push
      push.attempts += 1
      switch attempt.exchange.end {
      case .answered:
        let response = Response(attempt.exchange)
        let isLast = answered(push, response, attempt, &link)
        answers.append(Breaker.Answer(response: response, isLast: isLast))
      case .notProcessed, nil: notProcessed(push)
      case .inDoubt: inDoubt(push)
      }
    }
    if link.window.isProven { setting.opening.end() }
    if !answers.isEmpty { setting.control.answered(answers) }
  }

  /// - Returns: whether this is the last word on the push.
  private mutating func answered(
    _ push: PendingPush, _ response: Response, _ attempt: OpenLink.Attempt, _ link: inout OpenLink
  ) -> Bool {
    link.answered(response)
    if !response.needsNewConnection { reconnect.answered() }
    let step = RetryPolicy.step(
      after: response, resends: push.resends, wasRenewed: push.wasRenewed)
    switch step {
    case .end(let outcome):
      record(push, outcome, response, attempt.startedAt)
      return true
    case .resend: sendAgain(push)
    case .resendWithNewToken:
      needsNewToken = link.providerToken
      var push = push
      push.wasRenewed = true
      sendAgain(push)
    }
    return false
  }

  private mutating func notProcessed(_ push: PendingPush) {
    let step = RetryPolicy.stepWhenNotProcessed(
      resends: push.resends, wasInDoubt: push.isInDoubt)
    if case .end(let outcome) = step { record(push, outcome) } else { sendAgain(push) }
  }

  private mutating func inDoubt(_ push: PendingPush) {
    var push = push
    push.isInDoubt = true
    let step = RetryPolicy.stepInDoubt(resends: push.resends)
    if case .end(let outcome) = step { record(push, outcome) } else { sendAgain(push) }
  }

  private mutating func sendAgain(_ push: PendingPush) {
    var push = push
    push.resends += 1
    backlog.add(again: push)
  }

  mutating func record(
    _ push: PendingPush, _ outcome: Outcome, _ response: Response? = nil, _ startedAt: UInt64 = 0
  ) {
    let took = response.map { _ in Int((setting.clock.monotonic() - startedAt) / 1000) }
    outbox.add(
      PushResult(
        push: push.push, outcome: outcome, response: response, attempts: push.attempts,
        wasResentInDoubt: push.wasResentInDoubt, latencyMicroseconds: took,
        answeredAt: response.map { _ in setting.clock.epochMilliseconds() }))
  }
}

extension Response {
  /// What APNs answered to an exchange.
  init(_ exchange: Exchange) {
    let uniqueID = exchange.headers["apns-unique-id"]
    self = exchange.body.withUnsafeBufferPointer { body in
      Response(status: Status(rawValue: exchange.status), uniqueID: uniqueID, body: body)
    }
  }
}
