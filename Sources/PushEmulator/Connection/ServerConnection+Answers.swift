internal import APNS
internal import HTTP2

// From a decision to effects and a journal entry.
extension ServerConnection {
  /// Carries out the decision on a push.
  func carryOut(_ answer: EmulatorAnswer, for push: AnsweredPush) throws(SessionError) {
    switch answer {
    case .accept: try accept(push)
    case .reject(let status, let reason, let timestamp):
      try respond(to: push, ErrorBody(reason, timestamp: timestamp), status)
    case .custom(let custom): try respond(to: push, custom)
    case .reset(let code):
      record(push, adding: "RST_STREAM with code \(code)")
      try perform(.reset(push.request, code: code), in: push.delay)
    case .drop(let drop):
      record(push, adding: "the connection was dropped (\(drop.rawValue))")
      try perform(.drop(drop), in: push.delay)
    case .swallow: record(push, adding: "not answered")
    case .goAway(let end, let next): try goAway(end, then: next, for: push)
    case .delay, .processed, .freeze, .announce: try carryOut(step: answer, for: push)
    }
  }

  /// Carries out a preparatory step, then the answer after it.
  private func carryOut(
    step: EmulatorAnswer, for push: AnsweredPush
  ) throws(SessionError) {
    var push = push
    switch step {
    case .delay(let milliseconds, let next):
      push.delay += max(0, milliseconds)
      push.add("after \(milliseconds) ms")
      try carryOut(next, for: push)
    case .processed(let next):
      push.isProcessed = true
      push.add("processed")
      _ = ask(for: push)
      try carryOut(next, for: push)
    case .freeze(let milliseconds, let next):
      try perform(.freeze(milliseconds: milliseconds), in: push.delay)
      push.add("the connection was frozen")
      try carryOut(next, for: push)
    case .announce(let announcement, let next):
      try perform(.announce(announcement), in: push.delay)
      try carryOut(next, for: push)
    default: break
    }
  }

  private func goAway(
    _ end: ConnectionEnd, then next: EmulatorAnswer, for push: AnsweredPush
  ) throws(SessionError) {
    let stream = push.request.streamID
    if push.isProcessed { highestAnswered = max(highestAnswered, stream) }
    try goAway(end, at: stream, in: push.delay)
    guard stream <= lastStream ?? .max else {
      return record(push, adding: "above GOAWAY's last stream")
    }
    try carryOut(next, for: push)
  }

  /// Answers as APNs normally does.
  func accept(_ push: consuming AnsweredPush) throws(SessionError) {
    guard push.channelDetails?.call != nil else { return try respond(to: push, nil, .accepted) }
    if let refusal = ask(for: push) {
      push.note = refusal.note
      push.fixOfNote = refusal.fix
      return try respond(to: push, ErrorBody(refusal.reason), refusal.status)
    }
    try respond(to: push, nil, push.channelDetails?.reply?.status ?? .accepted)
  }

  /// Answers as APNs does.
  func respond(
    to push: consuming AnsweredPush, _ body: ErrorBody?, _ status: Status
  ) throws(SessionError) {
    var fields: [Field] = []
    fields.reserveCapacity(4)
    fields.append(Field(push.idHeader, push.apnsID, indexing: .never))
    addUsualFields(to: &fields, of: &push, status)
    let bytes = body?.bytes ?? push.channelDetails?.body(with: status) ?? []
    if !bytes.isEmpty { fields.append(Field("content-type", "application/json")) }
    record(push, status: status, body)
    let (status, reason) = (status.rawValue, body?.reason)
    if push.delay == 0 {
      try session.respond(to: push.request, status: status, fields: fields, body: bytes)
    } else {
      let answer = ServerAnswer(status: status, fields: fields, body: bytes)
      try perform(.respond(push.request, answer), in: push.delay)
    }
    if plan != nil { try count(status, reason, at: push.request.streamID) }
  }

  private func respond(
    to push: consuming AnsweredPush, _ custom: CustomAnswer
  ) throws(SessionError) {
    if custom.status.isSuccess { _ = ask(for: push) }
    var fields = custom.identifierFields(push.idHeader, push.apnsID)
    addUsualFields(to: &fields, of: &push, custom.status)
    record(push, status: custom.status, custom.errorBody)
    let answer = custom.answer(fields)
    try perform(
      .respondOddly(push.request, answer, custom.pace, custom.aftermath), in: push.delay)
    if plan != nil {
      try count(custom.status.rawValue, custom.reason, at: push.request.streamID)
    }
  }

  /// Carries out the request's channel call unless that has already been done.
  ///
  /// - Returns: the refusal; nil if the call succeeded or there is none.
  private func ask(for push: AnsweredPush) -> APNSRefusal? {
    guard let details = push.channelDetails, let call = details.call, details.reply == nil else {
      return nil
    }
    do throws(ChannelFault) {
      details.reply = try context.channels.carryOut(call, at: systemNow)
      return nil
    } catch {
      return APNSRefusal(error)
    }
  }

  private func addUsualFields(
    to fields: inout [Field], of push: inout AnsweredPush, _ status: Status
  ) {
    if let channel = push.channelDetails?.reply?.channel, status.isSuccess {
      fields.append(Field("apns-channel-id", channel.text, indexing: .never))
    }
    if behavior.configuration.isSandbox, push.path.kind != .channel {
      let id = identifiers.next()
      push.uniqueID = id
      fields.append(Field("apns-unique-id", id, indexing: .never))
    }
    if behavior.configuration.sendsDate { fields.append(date.field) }
  }

  private func count(
    _ status: Int, _ reason: Reason?, at stream: Int32
  ) throws(SessionError) {
    let steps = plan?.answered(Status(rawValue: status), reason) ?? []
    try carryOut(steps, at: stream)
  }

  /// Records a push that is not answered.
  func record(_ push: AnsweredPush, adding text: String) {
    var push = push
    push.add(text)
    record(push)
  }
}

extension Status {
  /// The request was carried out.
  var isSuccess: Bool { 200..<300 ~= rawValue }
}

extension CustomAnswer {
  fileprivate var errorBody: ErrorBody? {
    if case .reason(let reason, let timestamp) = body {
      ErrorBody(reason, timestamp: timestamp)
    } else {
      nil
    }
  }

  fileprivate var reason: Reason? { errorBody?.reason }

  fileprivate func identifierFields(_ name: String, _ id: String) -> [Field] {
    let values =
      switch apnsID {
      case .echoed: [id]
      case .upperCase: [id.uppercased()]
      case .twice: [id, id]
      case .missing: [String]()
      case .other(let text): [text]
      }
    return values.map { Field(name, $0, indexing: .never) }
  }

  /// The answer as sent, with the usual fields before its own.
  fileprivate func answer(_ usual: [Field]) -> ServerAnswer {
    var answer = ServerAnswer(
      status: status.rawValue, fields: usual, interim: interim, trailers: trailers)
    switch body {
    case .none: break
    case .reason(let reason, let timestamp):
      answer.body = ErrorBody(reason, timestamp: timestamp).bytes
      answer.fields.append(Field("content-type", "application/json"))
    case .bytes(let bytes, let type):
      answer.body = bytes
      if let type { answer.fields.append(Field("content-type", type)) }
    }
    answer.fields += fields
    switch pace {
    case .atOnce: break
    case .frames(let size): answer.frameLimit = size
    case .trickle(let bytes, _), .stall(let bytes): answer.heldBackAfter = max(0, bytes)
    }
    if case .reset(let code) = aftermath { answer.resetCode = code }
    return answer
  }
}
