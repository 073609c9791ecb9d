package import APNS
internal import Credentials
internal import HTTP2
package import Opening
package import Reporting
internal import Runs
package import Settings

/// Manages the channels of an app: sends one request after the other, over a connection that is
/// opened for the first and kept for the next.
///
/// It belongs to one thread at a time. Every wait is bounded.
package final class ChannelService {
  /// For how many nanoseconds an idle connection counts as alive.
  private static let idleLimit: UInt64 = 30 * 1_000_000_000

  let app: BundleID
  /// An emulator in this process runs for as long as this lives.
  private let endpoint: Endpoint
  private let credentials: OpenedCredentials
  private let timeoutMilliseconds: Int
  private let clock: RunClock
  private let wake = Wake()
  private var conversation: Conversation?
  private var lastAnswer: UInt64 = 0

  /// - Parameters:
  ///   - endpoint: of a server choice that manages channels.
  ///   - settings: merged ones, which say how long to wait for an answer.
  package init(
    _ app: BundleID, at endpoint: Endpoint, as credentials: OpenedCredentials, _ settings: Settings,
    _ context: Context
  ) {
    (self.app, self.endpoint, self.credentials) = (app, endpoint, credentials)
    (timeoutMilliseconds, clock) = (settings.timeoutMilliseconds, context.clock)
  }

  deinit { conversation?.close() }

  /// Sends a request, again where that is safe, and waits for the answer.
  ///
  /// - Parameter repeats: how often it is sent again at most.
  /// - Returns: the answer, and the request's `apns-request-id`.
  /// - Throws: `Failure` when the request was refused, or there was no answer. Its `cause` is a
  ///   ``ChannelFault``.
  package func ask(
    _ request: ChannelRequest, repeats: Int = ChannelTrials.limit
  ) throws(Failure) -> (reply: ChannelReply, requestID: APNSID) {
    let id = APNSID(random: clock)
    var trials = ChannelTrials(request, limit: repeats)
    while true {
      let token = try attempt(try credentials.push.token()) { .key(name: credentials.name, $0) }
      let end = send(request, id, token)
      let renews = token.map { credentials.push.replaces($0) } ?? false
      switch trials.step(after: end, renews: renews, chance: clock.chance()) {
      case .end(let reply): return (reply, id)
      case .fail(let fault): throw .channel(fault, request, facts(token))
      case .again(let pause):
        if end.needsNewConnection { hangUp() }
        if end.needsNewToken, let token { try renew(token) }
        if pause > 0, let wake { clock.wait(wake, pause) }
      }
    }
  }

  private func renew(_ token: ProviderToken) throws(Failure) {
    _ = try attempt(try credentials.push.token(after: token)) { .key(name: credentials.name, $0) }
  }

  /// What the request shows of itself, for ranking the causes of a refusal.
  private func facts(_ token: ProviderToken?) -> RequestFacts {
    RequestFacts(
      service: .init(host: endpoint.target.host), topic: app.text,
      providerTokenAge: token.map { clock.epochSeconds - $0.issuedAt })
  }
}

// One attempt.
extension ChannelService {
  private func send(
    _ request: ChannelRequest, _ id: APNSID, _ token: ProviderToken?
  ) -> ChannelAttempt {
    let exchange = Exchange(request, of: app, at: endpoint.target, id, token)
    do throws(DialError) {
      let conversation = try connected()
      do throws(ConversationEnd) {
        try conversation.ask(exchange)
      } catch {
        hangUp()
        return exchange.isUnprocessed ? .notProcessed(error) : .inDoubt(error)
      }
    } catch {
      return .notDialed(error)
    }
    lastAnswer = clock.monotonic()
    return answer(exchange, to: request)
  }

  private func answer(_ exchange: Exchange, to request: ChannelRequest) -> ChannelAttempt {
    let status = Status(rawValue: exchange.status)
    let reply = ChannelReply(
      to: request, status: status, channel: exchange.headers["apns-channel-id"],
      body: exchange.body)
    let response = exchange.body.withUnsafeBufferPointer { Response(status: status, body: $0) }
    return .answered(response, reply)
  }

  /// The connection; a new one where there is none, or the old one may have been closed unseen.
  private func connected() throws(DialError) -> Conversation {
    if clock.monotonic() - lastAnswer > Self.idleLimit { hangUp() }
    if let conversation { return conversation }
    let identity = credentials.push.identity
    let link = try Dialer.dial(endpoint.target, identity: identity)
    var target = endpoint.target
    target.timeoutMilliseconds = timeoutMilliseconds
    let conversation = Conversation(link, target, clock)
    self.conversation = conversation
    return conversation
  }

  private func hangUp() {
    conversation?.close()
    conversation = nil
  }
}

extension Exchange {
  /// Whether the server certainly did not process the request.
  fileprivate var isUnprocessed: Bool { end == .notProcessed || end == .refused }
}
