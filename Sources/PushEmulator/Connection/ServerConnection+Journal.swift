internal import APNS
internal import HTTP2
internal import Synchronization

// The journal entries of a connection.
extension ServerConnection {
  /// Records a push in the journal.
  func record(_ push: AnsweredPush, status: Status? = nil, _ body: ErrorBody? = nil) {
    let processed = push.isProcessed || status == .accepted || isCarriedOut(push, status)
    if processed || status != nil {
      highestAnswered = max(highestAnswered, push.request.streamID)
    }
    if processed, push.path.kind != .channel { context.processed.add(1, ordering: .relaxed) }
    guard context.journal.isWanted else { return }
    var received = ReceivedPush(
      connection: number, stream: push.request.streamID, token: push.path.token,
      apnsID: push.apnsID, status: status?.rawValue, reason: body?.reason, processed: processed,
      note: push.note, certificate: authentication.certificateName)
    if let part = push.channelDetails {
      received.channel = part.reply?.channel?.text ?? part.channel
      (received.apnsID, received.requestID) = (nil, push.apnsID)
    }
    received.time = systemNow
    received.timestamp = body?.timestamp
    received.uniqueID = push.uniqueID
    received.fixOfNote = push.fixOfNote
    received.request = kept(of: push)
    unwritten.append(received)
  }

  private func isCarriedOut(_ push: AnsweredPush, _ status: Status?) -> Bool {
    push.channelDetails?.call != nil && status?.isSuccess == true
  }

  /// The system's time, without the emulator's clock offset.
  var systemNow: Double { now - Double(behavior.configuration.clockOffset) }

  private func kept(of push: AnsweredPush) -> ReceivedRequest {
    var request = ReceivedRequest()
    request.head = head(of: push)
    if !push.path.isPlain(push.request) { request.oddPath = push.request.headers[":path"] }
    if push.channelDetails == nil { request.id = push.ownID ?? push.request.headers["apns-id"] }
    request.body = push.body
    request.bodyCount = push.request.bodyCount
    return request
  }
}

extension ServerConnection {
  /// The request head, shared by pushes with the same headers and so the same `authorization`.
  private func head(of push: AnsweredPush) -> ReceivedHead {
    if let head, head.shape === push.shape { return head }
    let authorization = push.authorizationIndex.map { index in
      push.request.headers.withField(at: index) { _, value in
        ReceivedAuthorization(value, try? tokens.verify(value).get())
      }
    }
    let head = ReceivedHead(push.shape, authorization)
    self.head = head
    return head
  }
}

// Requests that HTTP/2 refuses before they become pushes.
extension ServerConnection {
  /// Records the requests that HTTP/2 has refused since the last call.
  func recordRefusals() {
    let refusals = session.takeRefusals()
    if refusals.isEmpty { return }
    tell(of: refusals)
    guard context.journal.isWanted else { return }
    unwritten += refusals.map(received)
  }

  /// Writes the entries that are still pending because the connection ended early.
  func recordLast() {
    recordRefusals()
    context.journal.write(&unwritten)
  }

  private func received(_ refusal: StreamRefusal) -> ReceivedPush {
    let headers = refusal.headers
    let index = headers?.firstIndex(of: ":path")
    let path = index.flatMap { index in headers?.withField(at: index) { PushPath($1) } }
    var received = ReceivedPush(
      connection: number, stream: refusal.stream, token: path?.token,
      note: refusal.note(limit: behavior.configuration.initialStreamLimit),
      certificate: authentication.certificateName)
    received.isRefusedByHTTP2 = true
    received.time = systemNow
    received.fixOfNote = refusal.fix
    received.channel = path?.app == nil ? nil : headers?["apns-channel-id"]
    received.request.oddPath = headers?[":path"]
    received.request.head = ReceivedHead(
      RequestShape(
        method: headers?[":method"],
        fields: Draft(received: headers?.fields ?? [], body: []).fields,
        authentication: authentication.method, environment: behavior.configuration.environment,
        kind: path?.kind ?? .device))
    return received
  }

  private func tell(of refusals: [StreamRefusal]) {
    let count = refusals.count { $0.cause == .tooManyStreams }
    guard count > 0, !hasToldOfRefusals else { return }
    hasToldOfRefusals = true
    let limit = behavior.configuration.initialStreamLimit
    behavior.configuration.notice(.refusedStreams(count, limit: limit, connection: number))
  }
}

extension StreamRefusal {
  fileprivate func note(limit: Int) -> String {
    switch cause {
    case .tooManyStreams:
      "the stream was refused: more were open than allowed, which is \(limit) until the first valid"
        + " provider token"
    case .headersTooLong: "the stream was reset: its headers are far too long"
    case .malformed(let how):
      "the stream was reset: the request is malformed" + (how.map { " (\($0))" } ?? "")
    }
  }

  fileprivate var fix: String {
    switch cause {
    case .tooManyStreams:
      "Read the server's SETTINGS frame first, and send one push before the others; "
        + "or start the emulator with --streams-at-start 1000."
    case .headersTooLong: "Shorten the headers."
    case .malformed:
      "Send lowercase header names, no connection headers, and as many bytes as content-length says."
    }
  }
}
