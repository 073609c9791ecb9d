internal import APNS
internal import Credentials
internal import HTTP2
internal import PushModel

/// A link that could not be opened, or ended without an answer that says nothing against it.
struct Trouble {
  /// RFC 9113 section 7: the peer finds this client too eager.
  static let enhanceYourCalm: UInt32 = 11

  /// What stops the run when it comes too often.
  var cause: StopCause

  /// How long to wait at least before the next try, in milliseconds.
  var leastDelayMilliseconds = 0
}

// How a connection gets a link, and what it makes of the end of one.
extension Connection {
  /// Gets a link, trying again as `Reconnect` allows; nil when the run was stopped instead, or for a
  /// newcomer whose first try failed.
  mutating func connect() -> OpenLink? {
    pauseAfterTrouble()
    while awaitTurn() {
      do {
        if let link = try open() {
          isNewcomer = false
          return link
        }
      } catch let error as DialError where error.isPassing || setting.control.soundAnswers > 0 {
        // What has worked in this run may work again: a file may be unreadable for lack of
        // descriptors.
        trouble = Trouble(cause: .connecting(error))
      } catch let error as DialError {
        setting.control.stop(.connecting(error))
      } catch let error as SigningKeyError {
        setting.control.stop(.signing(error))
      } catch {
        trouble = Trouble(cause: .connectionLost(evidence(of: error)))
      }
      if isNewcomer { return giveUp() }
      pauseAfterTrouble()
    }
    return nil
  }

  /// The run goes on with the connections that it has.
  private mutating func giveUp() -> OpenLink? {
    (isRetired, inputEnded) = (true, true)
    setting.scaler.failedToStart(index, .server, now: setting.clock.monotonic())
    return nil
  }

  /// The link that is being opened already, one of an earlier run, or a new one; nil when an
  /// earlier run's ended in a way that is not to be passed over.
  private mutating func open() throws -> OpenLink? {
    let mayTakeKept = needsNewToken == nil && !hasLostLink
    let token = try providerToken()
    if isFirst, let link = try setting.early?.take() { return try openLink(link, token) }
    if mayTakeKept, let link = takeKeptLink() { return link }
    if trouble != nil || setting.control.isStopping { return nil }
    return try openLink(
      try Dialer.dial(setting.plan.target, identity: setting.credentials.identity), token)
  }

  private func openLink(
    _ link: consuming TLSConnection, _ token: ProviderToken?
  ) throws(SessionError) -> OpenLink {
    openLink(
      try HTTPLink(
        link, token: token, streamLimit: streamLimit, firstStream: setting.plan.firstStream,
        now: setting.clock.monotonic()))
  }

  private func openLink(_ http: consuming HTTPLink) -> OpenLink {
    OpenLink(http, plan: setting.plan, identity: setting.identity, streamLimit: streamLimit)
  }

  /// The first of the pool's links that the server has not left meanwhile; nil when there is none.
  private mutating func takeKeptLink() -> OpenLink? {
    while trouble == nil, !setting.control.isStopping, let http = setting.links?.take() {
      var link = openLink(http)
      var failure: (any Error)?
      do { try link.catchUp() } catch { failure = error }
      if failure == nil, !link.isUsedUp { return link }
      end(&link, failure)
    }
    return nil
  }

  private mutating func providerToken() throws(SigningKeyError) -> ProviderToken? {
    defer { needsNewToken = nil }
    if let expired = needsNewToken { return try setting.credentials.token(after: expired) }
    return try setting.credentials.token()
  }

  /// Waits as long as the last link's end makes advisable, or stops the run.
  private mutating func pauseAfterTrouble() {
    guard !setting.control.isStopping, let trouble else { return }
    self.trouble = nil
    let answers = setting.control.soundAnswers
    guard
      let delay = reconnect.failed(jitter: setting.clock.chance(), answersOfRun: answers)
    else {
      return setting.control.stop(trouble.cause)
    }
    let milliseconds = max(delay, trouble.leastDelayMilliseconds)
    let end = setting.clock.monotonic() + UInt64(milliseconds) * 1_000_000
    while !setting.control.isStopping, case let now = setting.clock.monotonic(), now < end {
      setting.clock.wait(wake, Int((end - now + 999_999) / 1_000_000))
    }
  }

  /// Remembers how a link ended, if the next one may end the same way.
  mutating func noteEnd(of link: borrowing OpenLink, _ failure: (any Error)?) {
    if case ChannelFailure.identityRefused(let alert)? = failure {
      return setting.control.stop(.connecting(.refused(by: alert, setting.plan.target)))
    }
    let goAway = link.session.goAway
    if let reason = goAway.flatMap({ ErrorBody.reason(in: $0.debugData) }),
      reason.info?.retry == .credentials
    {
      return setting.control.stop(.goodbye(reason))
    }
    let isTooEager = goAway?.errorCode == Trouble.enhanceYourCalm
    if isTooEager {
      setting.scaler.lost(now: setting.clock.monotonic(), isTooEager: true)
      streamLimit = max(1, streamLimit / 2)
    }
    // An answer that took the link with it says more than that the link is gone.
    let lost = (link.farewell ?? failure.map(evidence(of:))).map(StopCause.connectionLost)
    guard isTooEager || !link.hasServed, let cause = link.lastWord.map(StopCause.breaker) ?? lost
    else { return }
    trouble = Trouble(cause: cause, leastDelayMilliseconds: isTooEager ? 60_000 : 0)
  }
}

/// What an error tells of the end of a link.
private func evidence(of error: any Error) -> String {
  switch error {
  case ChannelFailure.broken(let text): text
  case is ChannelFailure: "the server closed the connection"
  case let error as SessionError where error.isBrokenProtocol:
    "the server broke HTTP/2: \(error.name)"
  case let error as SessionError: error.name
  default: "\(error)"
  }
}

extension DialError {
  /// The server's word on a client certificate that came only after the handshake, as TLS 1.3 lets
  /// it (RFC 8446 section 4.4.2.4).
  fileprivate static func refused(by alert: TLSAlert, _ target: DialTarget) -> DialError {
    DialError(layer: .identity(alert), detail: "", target: target)
  }

  /// Whether the next try may fare better.
  var isPassing: Bool {
    switch layer {
    case .tcp, .timeout, .dns, .tls, .proxy: true
    case .library, .roots, .certificate, .identity, .alpn: false
    }
  }
}
