internal import CNGHTTP2

// Answers, from plain to unusual.
extension ServerSession {
  /// Answers a request. Without a body the header block ends the stream, as with APNs.
  public func respond(
    to request: ServerRequest, status: Int, fields rows: [Field], body: [UInt8] = []
  ) throws(SessionError) {
    request.answer.load(body)
    fields.fill(status: status, rows)
    try submitAnswer(to: request)
  }

  /// Answers a request in any form that HTTP/2 allows.
  public func respond(to request: ServerRequest, _ answer: ServerAnswer) throws(SessionError) {
    for status in answer.interim { try submitInterim(status, to: request) }
    request.resetCode = answer.resetCode
    request.answer.load(answer.body)
    request.answer.pace = OutgoingBody.Pace(answer)
    fields.fill(status: answer.status, answer.fields)
    try submitAnswer(to: request)
  }

  /// Releases more bytes of a paused answer.
  ///
  /// - Returns: true if more of it remains; false also if its stream has closed.
  public func release(_ bytes: Int, of request: ServerRequest) -> Bool {
    guard let frames else { return false }
    request.answer.pace?.allow(bytes)
    let code = nghttp2_session_resume_data(frames.pointer, request.streamID)
    return code == 0 && !request.answer.isReleased
  }

  private func submitAnswer(to request: ServerRequest) throws(SessionError) {
    guard let frames else { return }
    let code = fields.withNameValues { rows in
      request.answer.withProvider { provider in
        nghttp2_submit_response(
          frames.pointer, request.streamID, rows.baseAddress, rows.count, provider)
      }
    }
    if code != 0 { throw SessionError(Int(code)) }
  }

  private func submitInterim(_ status: Int, to request: ServerRequest) throws(SessionError) {
    guard let frames else { return }
    fields.fill(status: status, [])
    let code = fields.withNameValues { rows in
      nghttp2_submit_headers(
        frames.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), request.streamID, nil,
        rows.baseAddress, rows.count, nil)
    }
    if code < 0 { throw SessionError(Int(code)) }
  }
}

// Connections that end without a frame.
extension ServerSession {
  /// Stops sending after this many bytes of the request's answer frames, or at the end of the
  /// answer. Frames of other streams do not count. Only the first request takes effect.
  public func cut(_ request: ServerRequest, afterBytes bytes: Int) {
    guard let frames, frames.cut == nil else { return }
    frames.cut = FrameCut(stream: request.streamID, bytes: bytes)
  }

  /// True if a cut is requested but not yet made.
  public var awaitsCut: Bool { frames?.cut != nil }

  /// True if the requested cut was made and everything before it has been sent.
  public var isCut: Bool { frames?.isCut ?? false }

  /// Resumes sending with the next frame.
  public func mend() { frames?.cut = nil }
}

extension OutgoingBody.Pace {
  /// The pace of an answer; nil if it is sent without limits.
  fileprivate init?(_ answer: ServerAnswer) {
    guard answer.frameLimit != nil || answer.heldBackAfter != nil || !answer.trailers.isEmpty
    else { return nil }
    self.init(
      frameLimit: max(1, answer.frameLimit ?? .max), allowance: answer.heldBackAfter ?? .max,
      trailers: answer.trailers)
  }
}
