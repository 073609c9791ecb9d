internal import APNS
internal import HTTP2
internal import Synchronization

// From a request to a decision.
extension ServerConnection {
  /// Handles a request. The answer may come later.
  func answer(_ request: ServerRequest) throws(SessionError) {
    context.requests.add(1, ordering: .relaxed)
    let number = behavior.counters.requests.add(1, ordering: .relaxed).newValue
    if plan != nil { try carryOut(plan?.requestArrived() ?? [], at: request.streamID) }
    let inspection = check.inspect(request, knowing: behavior.configuration.devices)
    var push = AnsweredPush(
      request: request, apnsID: inspection.apnsID ?? identifiers.next(), path: inspection.path,
      shape: inspection.shape, body: inspection.body,
      authorizationIndex: inspection.authorizationIndex, ownID: inspection.apnsID,
      channelDetails: inspection.channelDetails)
    if drop != nil { return record(push, adding: "the connection was dropped") }
    if let lastStream, request.streamID > lastStream {
      return record(push, adding: "above GOAWAY's last stream")
    }
    do throws(APNSRefusal) {
      try admit(inspection, of: &push)
    } catch {
      (push.note, push.fixOfNote) = (error.note, error.fix)
      let body = ErrorBody(error.reason, timestamp: error.timestamp)
      return try respond(to: push, body, error.status)
    }
    guard let decision = decision(on: push, number) else { return try accept(push) }
    try carryOut(decision, for: push)
  }

  /// Admits a push, or throws the refusal.
  private func admit(_ inspection: CheckedRequest, of push: inout AnsweredPush) throws(APNSRefusal)
  {
    let fault = inspection.fault
    if let fault, fault.step < .authorization { throw fault.refusal }
    let credential = credential(of: push.request, at: inspection.authorizationIndex)
    if case .malformed(let fault) = credential { tell(of: fault) }
    if let limit = try state.admit(credential, at: now) { openGate(limit) }
    if let fault { throw fault.refusal }
    if case .token(let token) = credential { push.note = token.note }
    if let note = inspection.note { push.add(note) }
  }

  /// Announces the raised limit after the first valid provider token.
  private func openGate(_ limit: Int) {
    let usual = Announcement(maxConcurrentStreams: limit)
    announce(plan?.announcement(at: .firstToken, else: usual) ?? usual)
    for step in plan?.laterSteps(after: .firstToken) ?? [] { schedule(step, at: 0) }
  }

  private func tell(of fault: TokenFault) {
    guard !hasToldOfToken else { return }
    hasToldOfToken = true
    behavior.configuration.notice(.refusedToken(fault, connection: number))
  }

  private func credential(of request: ServerRequest, at index: Int?) -> Credential {
    switch authentication {
    case .certificate: return .certificate
    case .badCertificate(let fault, _): return .badCertificate(fault)
    case .providerToken: break
    }
    guard let index else { return .missing }
    return request.headers.withField(at: index) { _, value in
      if value.holdsNoToken { return .empty }
      return switch tokens.verify(value) {
      case .success(let token): .token(token)
      case .failure(let fault): .malformed(fault)
      }
    }
  }

  /// Returns the decision on a push; nil means the normal answer of APNs.
  private func decision(on push: AnsweredPush, _ requestNumber: Int) -> EmulatorAnswer? {
    if case .device(let token) = push.path, let rates = behavior.counters.rates,
      !rates.admit(token, at: behavior.configuration.uptime())
    {
      return .reject(.tooManyRequests)
    }
    guard let decide = behavior.configuration.answer else { return nil }
    return decide(
      IncomingPush(
        number: requestNumber, connection: number, stream: push.request.streamID,
        openStreams: session.openCount, kind: push.path.kind, token: push.path.deviceToken,
        channel: push.channelDetails?.channel, apnsID: push.apnsID, headers: push.request.headers,
        body: push.request.body))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The `authorization` header is empty, or `bearer` without a token.
  fileprivate var holdsNoToken: Bool {
    guard let last else { return true }
    guard count <= 6 || last.isBlank else { return false }
    let words = split(whereSeparator: \.isBlank)
    return words.isEmpty
      || (words.count == 1 && words[0].lazy.map { $0 | 0x20 }.elementsEqual("bearer".utf8))
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
