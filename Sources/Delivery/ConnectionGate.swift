internal import APNS
internal import Credentials
internal import HTTP2
internal import PushModel
internal import Synchronization

/// Lets one connection of a run go ahead, at the start and after each pause that an answer asked
/// for. The others follow once it has an answer, so a failure common to all happens only once. If
/// it runs out of work before that, another goes ahead.
final class ConnectionGate: Sendable {
  private struct State {
    var isOver = false
    /// Some pause has been asked for.
    var isAfterPause = false
    /// The connection that goes ahead; nil when the next one to ask will.
    var leader: Int? = 0
    /// The connections that went ahead and have had no answer yet, while another one goes ahead.
    var silent: Set<Int> = []
    var waiting: [Wake] = []
  }

  private let state = Mutex(State())

  /// Decides whether a connection may open a link now; otherwise calls the wake when to ask again.
  func admits(_ index: Int, orWake wake: Wake) -> Bool {
    state.withLock { state in
      let leader = state.leader ?? index
      state.leader = leader
      if state.isOver || leader == index { return true }
      state.waiting.append(wake)
      return false
    }
  }

  /// True if connections wait because of a pause, not at the start of a run.
  var isAfterPause: Bool { state.withLock { $0.isAfterPause } }

  /// Starts over after a pause: the first connection to ask goes ahead.
  func begin() {
    change { ($0.isOver, $0.isAfterPause, $0.leader, $0.silent) = (false, true, nil, []) }
  }

  /// Notes that a connection had an answer. If it went ahead, the others follow.
  func end(by index: Int) {
    change { if $0.leader == index || $0.silent.contains(index) { $0.isOver = true } }
  }

  /// Notes that a connection has had no answer for a while. If it went ahead, another one does too.
  func waits(_ index: Int) {
    change { state in
      guard state.leader == index else { return }
      state.leader = nil
      state.silent.insert(index)
    }
  }

  /// Notes that a connection has nothing to send now. If it went ahead, another one does.
  func leave(_ index: Int) { change { if $0.leader == index { $0.leader = nil } } }

  private func change(_ change: (inout sending State) -> Void) {
    let waiting = state.withLock { state -> [Wake] in
      let before = (state.isOver, state.leader)
      change(&state)
      if before == (state.isOver, state.leader) { return [] }
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for wake in waiting { wake.call() }
  }
}

/// The failure to open a link, or its end before it was of use.
struct LinkFailure {
  /// RFC 9113 section 7: the peer considers this client too aggressive.
  static let enhanceYourCalm: UInt32 = 11

  /// The cause to stop the run with when this happens too often.
  var cause: StopCause

  /// The shortest wait before the next try, in milliseconds.
  var leastDelayMilliseconds = 0

  /// The credentials were refused. The network is good, so the next try need not wait.
  var isRefusal = false
}

// Opening a link, and reacting to the end of one.
extension Connection {
  /// Opens a link, retrying as `Reconnect` allows; nil when the run was stopped, or when this is a
  /// newcomer whose first try failed.
  mutating func connect() -> ActiveLink? {
    pauseAfterTrouble()
    while awaitTurn() {
      do {
        if let link = try open() {
          isNewcomer = false
          return link
        }
      } catch let error as DialError where error.mayPass(after: setting.control.soundAnswers) {
        // What worked earlier in this run may work again: a file may be unreadable for lack of
        // descriptors.
        trouble = LinkFailure(cause: .connecting(error))
      } catch let error as DialError {
        setting.control.stop(.connecting(error))
      } catch let error as SigningKeyError {
        setting.control.stop(.signing(error))
      } catch {
        trouble = LinkFailure(cause: .connectionLost(evidence(of: error)))
      }
      if isNewcomer { return giveUp() }
      pauseAfterTrouble()
    }
    return nil
  }

  /// Ends this connection; the run continues with the others.
  private mutating func giveUp() -> ActiveLink? {
    (isRetired, inputEnded) = (true, true)
    setting.scaler.failedToStart(index, .server, now: setting.clock.monotonic())
    return nil
  }

  /// Returns the link that is already being opened, one from an earlier run, or a new one; nil when
  /// the run is stopping or a link from an earlier run ended in trouble.
  private mutating func open() throws -> ActiveLink? {
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
  ) throws(SessionError) -> ActiveLink {
    openLink(
      try HTTP2Link(
        link, token: token, streamLimit: streamLimit, firstStream: setting.plan.firstStream,
        now: setting.clock.monotonic()))
  }

  private func openLink(_ http: consuming HTTP2Link) -> ActiveLink {
    ActiveLink(http, plan: setting.plan, identity: setting.identity, streamLimit: streamLimit)
  }

  /// Returns the first of the pool's links that the server has not closed; nil when there is none.
  private mutating func takeKeptLink() -> ActiveLink? {
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
    guard let expired = needsNewToken else { return try setting.credentials.token() }
    setting.plan.observer?(.tokenReplaced)
    return try setting.credentials.token(after: expired)
  }

  /// Waits as long as the end of the last link calls for, or stops the run.
  private mutating func pauseAfterTrouble() {
    guard !setting.control.isStopping, let trouble else { return }
    self.trouble = nil
    let answers = setting.control.soundAnswers
    guard
      let delay = reconnect.failed(jitter: setting.clock.chance(), answersOfRun: answers)
    else {
      return setting.control.stop(trouble.cause)
    }
    let milliseconds = trouble.isRefusal ? 0 : max(delay, trouble.leastDelayMilliseconds)
    let end = setting.clock.monotonic() + UInt64(milliseconds) * 1_000_000
    setting.control.awaits(Awaited(.connection, due: end), on: index)
    defer { setting.control.awaits(nil, on: index) }
    while !setting.control.isStopping, case let now = setting.clock.monotonic(), now < end {
      setting.clock.wait(wake, Int((end - now + 999_999) / 1_000_000))
    }
  }

  /// Remembers how a link ended, if the next one may end the same way.
  mutating func noteEnd(of link: borrowing ActiveLink, _ failure: (any Error)?) {
    if case ChannelFailure.identityRefused(let alert)? = failure {
      return setting.control.stop(.connecting(.refused(by: alert, setting.plan.target)))
    }
    let goAway = link.session.goAway
    if let reason = goAway.flatMap({ ErrorBody.reason(in: $0.debugData) }),
      reason.info?.retry == .credentials
    {
      return setting.control.stop(.goodbye(reason))
    }
    let isTooEager = goAway?.errorCode == LinkFailure.enhanceYourCalm
    if isTooEager {
      setting.scaler.lost(now: setting.clock.monotonic(), isTooEager: true)
      streamLimit = max(1, streamLimit / 2)
    }
    // An answer that ended the link says more than the loss of the link.
    let silent = link.isSilent ? ActiveLink.silentText : nil
    let words = link.farewell ?? failure.map(evidence(of:)) ?? silent
    let lost = words.map(StopCause.connectionLost)
    guard isTooEager || link.isSilent || !link.hasServed,
      let cause = link.lastWord.map(StopCause.breaker) ?? lost
    else { return }
    trouble = LinkFailure(
      cause: cause, leastDelayMilliseconds: isTooEager ? 60_000 : 0,
      isRefusal: !isTooEager && link.lastWord?.refusesCredentials == true)
  }
}

/// A description of how a link ended.
func evidence(of error: any Error) -> String {
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
  /// The error for a client certificate that the server refused after the handshake, as TLS 1.3
  /// allows (RFC 8446 section 4.4.2.4).
  fileprivate static func refused(by alert: TLSAlert, _ target: DialTarget) -> DialError {
    DialError(layer: .identity(alert), detail: "", target: target)
  }

  /// The next try may succeed, at least in a run with answers.
  func mayPass(after soundAnswers: Int) -> Bool {
    if case .proxy(let fault) = layer, fault.isLasting { return false }
    return isPassing || soundAnswers > 0
  }

  /// The next try may succeed.
  private var isPassing: Bool {
    switch layer {
    case .tcp, .timeout, .dns, .tls, .proxy: true
    case .library, .roots, .certificate, .identity, .alpn: false
    }
  }
}
