package import APNS
package import HTTP2

/// The result of one attempt at a request about channels.
package enum ChannelAttempt {
  /// A response; the reply is nil when it is a refusal, or differs from Apple's documentation.
  case answered(Response, ChannelReply?)
  /// No response; the server certainly did nothing.
  case notProcessed(ConversationEnd)
  /// No response; the server may have processed the request.
  case inDoubt(ConversationEnd)
  /// No connection.
  case notDialed(DialError)

  /// Sends a request, and waits for its response.
  ///
  /// - Parameters:
  ///   - target: the server that the conversation is with.
  ///   - id: the request's `apns-request-id`.
  ///   - token: nil when a certificate is used.
  package init(
    _ request: ChannelRequest, of app: BundleID, over conversation: Conversation,
    to target: DialTarget, _ id: APNSID, _ token: ProviderToken?
  ) {
    let exchange = Exchange(request, of: app, at: target, id, token)
    do throws(ConversationEnd) {
      try conversation.ask(exchange)
    } catch {
      let isUnprocessed = exchange.end == .notProcessed || exchange.end == .refused
      self = isUnprocessed ? .notProcessed(error) : .inDoubt(error)
      return
    }
    let status = Status(rawValue: exchange.status)
    let reply = ChannelReply(
      to: request, status: status, channel: exchange.headers["apns-channel-id"],
      body: exchange.body)
    let response = exchange.body.withUnsafeBufferPointer { Response(status: status, body: $0) }
    self = .answered(response, reply)
  }
}
