internal import APNS
internal import Credentials
internal import HTTP2

// Steps 10 to 12: the server's answers.
extension DiagnosisKnowledge {
  /// The clock difference in seconds that is tolerated before a warning.
  private static let clockTolerance = Clocks.tolerance

  /// The value nghttp2 reports for a server that sets no limit (RFC 9113 section 6.5.2).
  private static let unlimited = Int(UInt32.max)

  mutating func settings() -> Sight {
    converse { conversation throws(ConversationEnd) in
      let streams = try conversation.streams()
      return (.ok, .streams(streams == Self.unlimited ? nil : streams))
    }
  }

  mutating func falsePush() -> Sight {
    if case .none = plan.credentials { return (.skipped, .unchecked(.noCredentials)) }
    guard let topic else { return (.skipped, .unchecked(.noBundleID)) }
    return ask { knowledge, token in
      let exchange = Exchange()
      knowledge.prepare(exchange, topic, token)
      return exchange
    } judge: { knowledge, exchange, token in
      knowledge.judge(exchange, topic.text, token)
    }
  }

  /// Lists the app's channels. Like the push, this changes nothing and needs valid credentials.
  mutating func channels() -> Sight {
    if case .none = plan.credentials { return (.skipped, .unchecked(.noCredentials)) }
    guard let app else { return (.skipped, .unchecked(.noBundleID)) }
    return ask { knowledge, token in
      let id = APNSID(random: knowledge.plan.clock)
      return Exchange(.list, of: app, at: knowledge.plan.target, id, token)
    } judge: { knowledge, exchange, token in
      knowledge.judgeChannels(exchange, app, token)
    }
  }

  /// Sends one request and judges the answer.
  private mutating func ask(
    _ prepared: (DiagnosisKnowledge, ProviderToken?) -> Exchange,
    judge: (inout DiagnosisKnowledge, Exchange, ProviderToken?) -> Sight
  ) -> Sight {
    let token: ProviderToken?
    do throws(SigningKeyError) {
      token = try providerToken()
    } catch {
      return (.broken, .keyFault(error))
    }
    let exchange = prepared(self, token)
    let sight = converse { conversation throws(ConversationEnd) in
      try conversation.ask(exchange)
      return (.ok, .unchecked(.noAnswer))
    }
    return sight.verdict == .ok ? judge(&self, exchange, token) : sight
  }

  func serverClock() -> Sight {
    guard isAnswered else { return (.skipped, .unchecked(.noAnswer)) }
    guard let clockOffset else { return (.skipped, .unchecked(.noDate)) }
    let isFar = clockOffset.magnitude > Self.clockTolerance
    return (isFar ? .warning : .ok, .clockOffset(clockOffset))
  }

  private mutating func converse(
    _ body: (Conversation) throws(ConversationEnd) -> Sight
  ) -> Sight {
    do throws(ConversationEnd) {
      switch dial() {
      case .success(let conversation): return try body(conversation)
      case .failure(let error): return (.broken, .dialFailed(error))
      }
    } catch {
      return (.broken, .conversation(error))
    }
  }

  private func providerToken() throws(SigningKeyError) -> ProviderToken? {
    guard case .tokens(let source, _, _, _) = plan.credentials else { return nil }
    return try source.token()
  }

  /// Builds a minimal push. It expires at once, so it is never stored and delivered later.
  private func prepare(_ exchange: Exchange, _ topic: Topic, _ token: ProviderToken?) {
    let head = RequestHead(
      authority: plan.target.authority, pathPrefix: "/3/device/",
      fields: [token?.authorization].compactMap(\.self) + [
        Field(HeaderName.topic.text, topic.text),
        Field(HeaderName.pushType.text, pushType.rawValue),
        Field(HeaderName.priority.text, "10"), Field(HeaderName.expiration.text, "0"),
      ], varying: HeaderName.id.text)
    let bits = APNSID.RunBits(
      plan.clock.random(), UInt16(truncatingIfNeeded: plan.clock.random()))
    let text = #""fanfare doctor""#
    let body = pushType == .mdm ? #"{"mdm":\#(text)}"# : #"{"aps":{"alert":\#(text)}}"#
    let isReady = Array(Diagnosis.falseToken.utf8).withUnsafeBufferPointer { path in
      exchange.prepare(head, pathEnd: path, body: Array(body.utf8)) { room in
        APNSID(bits, sequence: 1).write(to: room)
        return APNSID.textLength
      }
    }
    precondition(isReady, "an exchange has room for the false device token")
  }
}

// Listing an app's channels.
extension DiagnosisKnowledge {
  private var app: BundleID? {
    var name = plan.topic?.text
    if name == nil, case .certificate(let certificate) = plan.credentials {
      name = certificate.facts.userID
    }
    return name.flatMap { try? BundleID($0) }
  }

  private mutating func judgeChannels(
    _ exchange: Exchange, _ app: BundleID, _ token: ProviderToken?
  ) -> Sight {
    let reply = ChannelReply(
      to: .list, status: Status(rawValue: exchange.status), channel: nil, body: exchange.body)
    let sight = judge(exchange, app.text, token)
    guard case .answer(let answer) = sight.evidence, answer.response.isAccepted else {
      return sight
    }
    guard case .channels(let ids)? = reply else { return (.warning, .channels(nil)) }
    return (.ok, .channels(ids.count))
  }
}

// Interpreting the answer.
extension DiagnosisKnowledge {
  private mutating func judge(
    _ exchange: Exchange, _ topic: String, _ token: ProviderToken?
  ) -> Sight {
    isAnswered = true
    let now = plan.clock.epochSeconds
    clockOffset = exchange.headers["date"].flatMap(HTTPDate.seconds).map { now - $0 }
    let response = exchange.body.withUnsafeBufferPointer {
      Response(status: Status(rawValue: exchange.status), body: $0)
    }
    // A fresh token that APNs calls expired points to the clock. For other reasons its age says
    // nothing.
    let age = response.reason == .expiredProviderToken ? token.map { now - $0.issuedAt } : nil
    let request = RequestFacts(
      service: service, pushType: pushType, topic: topic,
      tokenDigits: Diagnosis.falseToken.utf8.count, providerTokenAge: age)
    let answer = FalsePushAnswer(
      response: response, request: request, clockFault: clockFault(response))
    return (verdict(response), .answer(answer))
  }

  private var service: RequestFacts.Service {
    plan.service.flatMap { .init(rawValue: $0.rawValue) } ?? .other
  }

  private func clockFault(_ response: Response) -> Int64? {
    let isOfClock = [.expiredProviderToken, .invalidProviderToken].contains(response.reason)
    guard isOfClock, let clockOffset, clockOffset.magnitude > Self.clockTolerance else {
      return nil
    }
    return clockOffset
  }

  private func verdict(_ response: Response) -> DiagnosisVerdict {
    switch (response.status, response.reason) {
    // Emulators accept any device token.
    case (.accepted, _): plan.service == nil ? .ok : .warning
    case (_, .badDeviceToken?), (_, .unregistered?): .ok
    case (_, .deviceTokenNotForTopic?): .warning
    case (let status, _): status.rawValue >= Status.tooMany.rawValue ? .warning : .broken
    }
  }
}
