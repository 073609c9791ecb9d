internal import HTTP2

// Effects on the client, now or later.
extension ServerConnection {
  /// Performs an effect after this many milliseconds; at once if there are none.
  func perform(_ effect: ConnectionEffect, in milliseconds: Int) throws(SessionError) {
    if milliseconds <= 0 { return try perform(effect) }
    schedule(effect, in: milliseconds)
  }

  /// Performs all effects due by now.
  func doWhatIsDue() throws(SessionError) {
    let now = behavior.configuration.uptime()
    while let effect = timetable.takeDue(by: now) { try perform(effect) }
  }

  /// Carries out orders from outside.
  func obeyOrders() throws(SessionError) {
    for order in desk.take() {
      switch order {
      case .goAway(let end): try goAway(end, at: newestStream, in: 0)
      case .drop(let drop): self.drop = drop
      }
    }
  }

  private var newestStream: Int32 { max(highestAnswered, session.openStreams.max() ?? 0) }

  /// Carries out steps of the plan caused by a request on a stream.
  func carryOut(_ steps: [ConnectionPlan.Step], at stream: Int32) throws(SessionError) {
    for step in steps where step.milliseconds == 0 {
      switch step.action {
      case .announce(let announcement): announce(announcement)
      case .goAway(let end): try goAway(end, at: stream, in: 0)
      }
    }
    for step in steps where step.milliseconds > 0 { schedule(step, at: stream) }
  }

  /// Schedules a step of the plan.
  func schedule(_ step: ConnectionPlan.Step, at stream: Int32) {
    let effect: ConnectionEffect =
      switch step.action {
      case .announce(let announcement): .announce(announcement)
      case .goAway(let end): .goAway(end, stream: stream)
      }
    schedule(effect, in: step.milliseconds)
  }

  /// Sends GOAWAY, after a notice if one is configured.
  func goAway(
    _ end: ConnectionEnd, at stream: Int32, in milliseconds: Int
  ) throws(SessionError) {
    let ahead = end.noticeMilliseconds
    if ahead != nil { try perform(.notice, in: milliseconds) }
    try perform(.goAway(end, stream: stream), in: milliseconds + (ahead ?? 0))
  }

  /// Sends SETTINGS or WINDOW_UPDATE. It fails only without memory, which ends the session anyway.
  func announce(_ announcement: Announcement) {
    if announcement.hasSettings {
      try? session.announce(
        maxConcurrentStreams: announcement.maxConcurrentStreams,
        initialWindowSize: announcement.initialWindowSize)
    }
    if let bytes = announcement.windowIncrement { session.enlargeWindow(by: bytes) }
  }

  /// Performs the aftermath of an answer that was cut.
  func endCut() {
    switch aftermath {
    case .drop(let drop, _): self.drop = drop
    case .freeze(let milliseconds): freeze = Freeze(milliseconds: milliseconds)
    case .reset, nil: break
    }
    aftermath = nil
    session.mend()
  }

  private func schedule(_ effect: ConnectionEffect, in milliseconds: Int) {
    let due = behavior.configuration.uptime().addingReportingOverflow(Int64(milliseconds))
    timetable.add(effect, due: due.overflow ? .max : due.partialValue)
  }

  private func perform(_ effect: ConnectionEffect) throws(SessionError) {
    switch effect {
    case .respond(let request, let answer):
      if session.isOpen(request) { try session.respond(to: request, answer) }
    case .respondOddly(let request, let answer, let pace, let aftermath):
      try respond(to: request, answer, pace, aftermath)
    case .release(let request, let bytes, let milliseconds):
      if session.isOpen(request), session.release(bytes, of: request) {
        schedule(effect, in: milliseconds)
      }
    case .reset(let request, let code):
      if session.isOpen(request) { session.reset(request, errorCode: code) }
    case .notice: session.goAway(GoAway(lastStream: .max))
    case .goAway(let end, let stream): send(end, at: stream)
    case .drop(let drop): self.drop = drop
    case .freeze(let milliseconds): freeze = Freeze(milliseconds: milliseconds)
    case .announce(let announcement): announce(announcement)
    }
  }

  private func respond(
    to request: ServerRequest, _ answer: ServerAnswer, _ pace: CustomAnswer.Pace,
    _ aftermath: CustomAnswer.Aftermath?
  ) throws(SessionError) {
    guard session.isOpen(request) else { return }
    try session.respond(to: request, answer)
    if case .trickle(let bytes, let milliseconds) = pace {
      let (bytes, milliseconds) = (max(1, bytes), max(1, milliseconds))
      schedule(.release(request, bytes: bytes, milliseconds: milliseconds), in: milliseconds)
    }
    prepareCut(request, aftermath)
  }

  private func prepareCut(_ request: ServerRequest, _ aftermath: CustomAnswer.Aftermath?) {
    guard !session.awaitsCut else { return }
    switch aftermath {
    case .drop(_, let bytes): session.cut(request, afterBytes: bytes)
    case .freeze: session.cut(request, afterBytes: .max)
    case .reset, nil: return
    }
    self.aftermath = aftermath
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
    staysOpen = staysOpen || end.staysOpen
    session.goAway(
      GoAway(lastStream: last, errorCode: end.errorCode, debugData: end.debugBytes))
  }

  private func middle(of streams: [Int32]) -> Int32 {
    let half = streams.count / 2
    return half == 0 ? 0 : streams.sorted()[half - 1]
  }
}

/// An effect of a connection on its client, now or later.
enum ConnectionEffect {
  /// Answers a request.
  case respond(ServerRequest, ServerAnswer)
  /// Answers a request at a certain pace, with a possible aftermath.
  case respondOddly(ServerRequest, ServerAnswer, CustomAnswer.Pace, CustomAnswer.Aftermath?)
  /// Repeatedly releases more bytes of an answer.
  case release(ServerRequest, bytes: Int, milliseconds: Int)
  /// Ends a stream with RST_STREAM.
  case reset(ServerRequest, code: UInt32)
  /// Sends the notice before a GOAWAY.
  case notice
  /// Sends GOAWAY because of a push on a stream.
  case goAway(ConnectionEnd, stream: Int32)
  /// Ends the connection.
  case drop(Drop)
  /// Stops reading and sending for this many milliseconds, or for good.
  case freeze(milliseconds: Int?)
  /// Sends SETTINGS or WINDOW_UPDATE.
  case announce(Announcement)
}

/// A request that is being answered.
struct AnsweredPush {
  let request: ServerRequest
  /// The answer's `apns-id`, or its `apns-request-id` for a request about channels.
  let apnsID: String
  /// The request's target.
  let path: PushPath
  /// The facts for the journal: the headers, the payload, the position of `authorization`, and the
  /// client's own `apns-id` if the answer repeats it.
  let shape: RequestShape
  let body: [UInt8]
  let authorizationIndex: Int?
  let ownID: String?
  /// The channel part of the request; nil for a push to a device.
  let channelDetails: ChannelDetails?
  /// The journal's note besides the answer.
  var note: String?
  /// The fix for the note; nil uses the one for the reason.
  var fixOfNote: String?
  /// The answer's `apns-unique-id`; nil without one.
  var uniqueID: String?
  /// The delay of the answer, in milliseconds.
  var delay = 0
  /// The push counts as processed whatever the answer is.
  var isProcessed = false

  /// The name of the ID's header, in the request and the answer.
  var idHeader: String { channelDetails == nil ? "apns-id" : "apns-request-id" }

  /// Adds to the journal's note.
  mutating func add(_ text: String) { note = note.map { "\($0); \(text)" } ?? text }
}
