internal import APNS
internal import HTTP2
internal import Synchronization

/// One client's connection, from its first stream to its end. It belongs to one thread; `serve`
/// moves its bytes.
final class Connection {
  /// How the connection is to be dropped; nil while it is not.
  private(set) var drop: Drop?

  private let number: Int
  private let context: ConnectionContext
  private let session: ServerSession
  private let signIn: SignIn
  private var state: ConnectionState
  private var tokens: TokenCache
  private var check: RequestCheck
  private var identifiers = IdentifierSource()
  private var entries: [JournalEntry] = []
  private var now = 0.0
  private var date = DateField()
  private var highestAnswered: Int32 = 0
  private var lastStream: Int32?

  /// A connection whose TLS handshake is done.
  init(_ number: Int, _ context: ConnectionContext, _ signIn: SignIn) throws(SessionError) {
    let configuration = context.configuration
    self.number = number
    self.context = context
    self.signIn = signIn
    session = try ServerSession(
      maxConcurrentStreams: signIn == .providerToken
        ? configuration.initialStreamLimit : configuration.maxConcurrentStreams)
    state = ConnectionState(
      times: .init(tolerance: configuration.clockTolerance),
      raisedLimit: configuration.maxConcurrentStreams, environment: configuration.environment)
    tokens = TokenCache(context.verifier)
    check = RequestCheck(authentication: signIn.authentication, topics: signIn.topics)
  }

  /// Whether nothing will be sent or received any more.
  var isFinished: Bool { session.isFinished }

  /// Takes bytes that arrived.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
    try session.receive(bytes)
  }

  /// Answers what has become complete. The journal has the answers before the client does.
  func answerRequests() throws {
    now = context.configuration.time
    if context.configuration.sendsDate { date.update(to: now) }
    defer { context.journal.write(&entries) }
    try session.takeRequests(answer)
  }

  /// Sends what there is to send; false when the link is full.
  func send(over link: borrowing ServerLink) throws -> Bool { try session.send(over: link) }
}

// From a request to a decision.
extension Connection {
  private func answer(_ request: ServerRequest) throws(SessionError) {
    let number = context.requests.add(1, ordering: .relaxed).newValue
    let inspection = check.inspect(request)
    var push = AnsweredPush(
      request: request, path: inspection.path,
      apnsID: inspection.apnsID ?? identifiers.next())
    if drop != nil { return record(push, note: "the connection was dropped") }
    if let lastStream, request.streamID > lastStream {
      return record(push, note: "above GOAWAY's last stream")
    }
    do throws(Refusal) {
      try admit(inspection, of: &push)
    } catch {
      push.note = error.note
      return try respond(to: push, ErrorBody(error.reason), error.status)
    }
    try carryOut(decision(on: push, number), for: push)
  }

  /// Lets a push pass, or says why not.
  private func admit(_ inspection: Inspection, of push: inout AnsweredPush) throws(Refusal) {
    let fault = inspection.fault
    if let fault, fault.step < .authorization { throw fault.refusal }
    let credential = credential(of: push.request, at: inspection.authorizationIndex)
    if let limit = try state.admit(credential, at: now) {
      try? session.announce(maxConcurrentStreams: limit)
    }
    if let fault { throw fault.refusal }
    if case .token(let token) = credential { push.note = token.note }
  }

  private func credential(of request: ServerRequest, at index: Int?) -> Credential {
    switch signIn {
    case .certificate: return .certificate
    case .badCertificate(let fault, _): return .badCertificate(fault)
    case .providerToken: break
    }
    guard let index else { return .missing }
    return request.headers.withField(at: index) { _, value in
      if value.isEmpty { return .missing }
      return switch tokens.verify(value) {
      case .success(let token): .token(token)
      case .failure(let fault): .malformed(fault)
      }
    }
  }

  private func decision(on push: AnsweredPush, _ requestNumber: Int) -> EmulatorAnswer {
    guard let decide = context.configuration.answer, case .device(let token) = push.path else {
      return .accept
    }
    let incoming = IncomingPush(
      number: requestNumber, connection: number, stream: push.request.streamID,
      openStreams: session.openCount, token: token, apnsID: push.apnsID,
      headers: push.request.headers, body: push.request.body)
    return decide(incoming) ?? .accept
  }
}

// From a decision to frames and a line in the journal.
extension Connection {
  private func carryOut(
    _ answer: EmulatorAnswer, for push: AnsweredPush
  ) throws(SessionError) {
    switch answer {
    case .accept: try respond(to: push, nil, .accepted)
    case .reject(let status, let reason, let timestamp):
      try respond(to: push, ErrorBody(reason, timestamp: timestamp), status)
    case .reset(let code):
      session.reset(push.request, errorCode: code)
      record(push, note: "RST_STREAM with code \(code)")
    case .goAway(let end, let next):
      send(end, at: push.request.streamID)
      guard push.request.streamID <= lastStream ?? .max else {
        return record(push, note: "above GOAWAY's last stream")
      }
      try carryOut(next, for: push)
    case .drop(let drop):
      self.drop = drop
      record(push, note: "the connection was dropped (\(drop.rawValue))")
    case .swallow: record(push, note: "not answered")
    }
  }

  private func respond(
    to push: AnsweredPush, _ body: ErrorBody?, _ status: Status
  ) throws(SessionError) {
    var fields: [Field] = []
    fields.reserveCapacity(4)
    fields.append(Field("apns-id", push.apnsID, indexing: .never))
    if context.configuration.isSandbox {
      fields.append(Field("apns-unique-id", identifiers.next(), indexing: .never))
    }
    if context.configuration.sendsDate { fields.append(date.field) }
    if body != nil { fields.append(Field("content-type", "application/json")) }
    try session.respond(
      to: push.request, status: status.rawValue, fields: fields, body: body?.bytes ?? [])
    highestAnswered = max(highestAnswered, push.request.streamID)
    record(push, status: status, reason: body?.reason, note: push.note)
  }

  private func send(_ end: ConnectionEnd, at stream: Int32) {
    let wanted =
      switch end.lastStream {
      case .current: stream
      case .exactly(let number): number
      case .half: middle(of: session.openStreams)
      }
    // A second GOAWAY cannot cover more than the first (RFC 9113 section 6.8).
    let last = min(max(wanted, highestAnswered), lastStream ?? .max)
    lastStream = last
    session.goAway(
      GoAway(
        lastStream: last, errorCode: end.errorCode,
        debugData: end.reason.map { ErrorBody($0).bytes } ?? []))
  }

  private func middle(of streams: [Int32]) -> Int32 {
    let half = streams.count / 2
    return half == 0 ? 0 : streams.sorted()[half - 1]
  }

  private func record(
    _ push: AnsweredPush, status: Status? = nil, reason: Reason? = nil, note: String?
  ) {
    guard context.journal.isWanted else { return }
    entries.append(
      JournalEntry(
        connection: number, stream: push.request.streamID, token: push.path.token,
        apnsID: status.map { _ in push.apnsID }, status: status?.rawValue, reason: reason,
        note: note, certificate: signIn.certificateName))
  }
}

/// A request on its way to an answer.
private struct AnsweredPush {
  let request: ServerRequest
  let path: PushPath
  /// The `apns-id` that the answer carries.
  let apnsID: String
  /// What the journal says beside the answer.
  var note: String?
}
