package import APNS
internal import Credentials
internal import HTTP2
package import Reporting
package import Settings

/// Manages the channels of an app: sends one request at a time over a connection that is opened for
/// the first and reused.
///
/// Confined to one thread at a time. Every wait has a limit.
package final class ChannelService {
  /// The nanoseconds for which an idle connection is assumed to be open.
  private static let idleLimit: UInt64 = 30 * 1_000_000_000

  let app: BundleID
  /// The endpoint, which keeps an emulator in this process running.
  private let endpoint: Endpoint
  private let credentials: OpenedCredentials
  private let timeoutMilliseconds: Int
  private let clock: RunClock
  private let wake = Wake()
  private var conversation: Conversation?
  private var lastAnswer: UInt64 = 0

  /// - Parameters:
  ///   - endpoint: the endpoint for managing channels.
  ///   - settings: merged settings, which include the timeout.
  package init(
    _ app: BundleID, at endpoint: Endpoint, as credentials: OpenedCredentials, _ settings: Settings,
    _ context: Context
  ) {
    (self.app, self.endpoint, self.credentials) = (app, endpoint, credentials)
    (timeoutMilliseconds, clock) = (settings.timeoutMilliseconds, context.clock)
  }

  deinit { conversation?.close() }

  /// Sends a request, with retries where that is safe, and waits for the response.
  ///
  /// - Parameter repeats: the maximum number of retries.
  /// - Returns: the response, and the request's `apns-request-id`.
  /// - Throws: `Failure` when the request was refused or not answered. Its `cause` is a
  ///   ``ChannelRequestFault``.
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

  /// The facts about the request that help rank the causes of a refusal.
  private func facts(_ token: ProviderToken?) -> RequestFacts {
    RequestFacts(
      service: .init(host: endpoint.target.host), topic: app.text,
      providerTokenAge: token.map { clock.epochSeconds - $0.issuedAt })
  }
}

// A single attempt.
extension ChannelService {
  private func send(
    _ request: ChannelRequest, _ id: APNSID, _ token: ProviderToken?
  ) -> ChannelAttempt {
    do throws(DialError) {
      let attempt = ChannelAttempt(
        request, of: app, over: try connected(), to: endpoint.target, id, token)
      if case .answered = attempt { lastAnswer = clock.monotonic() } else { hangUp() }
      return attempt
    } catch {
      return .notDialed(error)
    }
  }

  /// The connection; a new one if there is none, or the old one may have been closed unnoticed.
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
