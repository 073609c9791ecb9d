internal import APNS
internal import HTTP2

// What a connection does when attempts end.
extension Connection {
  mutating func handle(_ ended: [OpenLink.Attempt], of link: inout OpenLink) {
    guard !ended.isEmpty else { return }
    setting.control.opened(-ended.count)
    var responses: [Response] = []
    for attempt in ended {
      var push = attempt.push
      push.attempts += 1
      switch attempt.exchange.end {
      case .answered:
        let response = Response(attempt.exchange)
        responses.append(response)
        answered(push, response, attempt, &link)
      case .notProcessed, nil: notProcessed(push)
      case .inDoubt: inDoubt(push)
      }
    }
    if !responses.isEmpty { setting.control.answered(responses) }
  }

  private mutating func answered(
    _ push: PendingPush, _ response: Response, _ attempt: OpenLink.Attempt, _ link: inout OpenLink
  ) {
    link.window.answered(status: response.status.rawValue)
    reconnect.answered()
    if response.needsNewConnection { link.isRetired = true }
    switch RetryPolicy.step(after: response, resends: push.resends) {
    case .end(let outcome): record(push, outcome, response, attempt.startedAt)
    case .resend: sendAgain(push)
    case .resendOnNewConnection:
      link.isRetired = true
      sendAgain(push)
    case .resendWithNewToken:
      link.isRetired = true
      needsNewToken = link.providerToken
      sendAgain(push)
    }
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

  /// Ends the run when the peer said goodbye for a reason that the next connection would meet too.
  func stopIfUnwelcome(_ goAway: GoAway?) {
    let body = goAway?.debugData.withUnsafeBufferPointer { ErrorBody.parse($0) }
    if let reason = body?.reason, reason.info?.retry == .credentials {
      setting.control.stop(.goodbye(reason))
    }
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
