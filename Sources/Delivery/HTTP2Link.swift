internal import Credentials
internal import HTTP2

/// A link, its HTTP/2 session and what is known about the server: everything that one run hands to
/// the next.
struct HTTP2Link: ~Copyable {
  let session: ClientSession
  var window: Window
  /// The provider token of the last push; nil when a certificate is used.
  var token: ProviderToken?
  /// An answer came that does not count against this link.
  var hasServed = false

  /// The most reads in a row before deadlines and other work get a turn, since a server may send
  /// faster than the client reads.
  private static let readsInARow = 64

  private let link: TLSConnection
  private var liveness: Liveness
  /// More data may have arrived than was read.
  private var hasUnread = false
  private let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 8)

  /// - Parameter firstStream: the number of the first stream. Only tests use anything but 1.
  init(
    _ link: consuming TLSConnection, token: ProviderToken?, streamLimit: Int, firstStream: Int32,
    now: UInt64
  ) throws(SessionError) {
    session = try ClientSession(firstStream: firstStream)
    window = Window(limit: streamLimit)
    self.link = link
    self.token = token
    liveness = Liveness(now: now)
  }

  deinit { incoming.deallocate() }

  /// The next run may use the link: it has proven good, nothing is in flight, no PING either, and
  /// no GOAWAY came.
  var isWorthKeeping: Bool {
    hasServed && session.acceptsRequests && session.openCount == 0 && !liveness.isAsking
  }

  /// Sends and receives until neither direction has any more, or the limit on reads is reached.
  ///
  /// - Returns: whether the link is full, so that the caller has to wait for room.
  mutating func exchangeBytes(now: UInt64) throws -> Bool {
    let isSent = try send(now: now)
    try receive(now: now)
    window.settings(session.peerConcurrency)
    return try !isSent || !session.send(over: link)
  }

  /// Reads what the server has sent in the meantime. It may be old, so it does not prove that the
  /// server is still there.
  mutating func catchUp() throws {
    try receive(now: nil)
    window.settings(session.peerConcurrency)
  }

  /// If sending fails, reads first: the server's last words say more than the failure.
  private mutating func send(now: UInt64) throws -> Bool {
    do {
      return try session.send(over: link)
    } catch {
      try receive(now: now)
      throw error
    }
  }

  /// - Parameter now: nil when the arrival time is unknown.
  private mutating func receive(now: UInt64?) throws {
    for _ in 0..<Self.readsInARow {
      let count = try link.receive(into: incoming)
      hasUnread = count > 0
      if !hasUnread { return }
      if let now { liveness.heard(now: now) }
      try take(UnsafeRawBufferPointer(rebasing: incoming[..<count]))
    }
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
    do throws(SessionError) {
      try session.receive(bytes)
    } catch {
      // Tells the server why, on a best-effort basis.
      _ = try? session.send(over: link)
      throw error
    }
    // If the server broke the protocol, sending reports it.
    if !session.acceptsRequests { _ = try session.send(over: link) }
  }

  func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) {
    if hasUnread { return }
    let ready = link.wait(forRoom: forRoom, wake: wake, milliseconds: milliseconds)
    if ready.contains(.woken) { wake.clear() }
  }

  /// A PING is unanswered.
  var isAsking: Bool { liveness.isAsking }

  /// Sends a PING, unless one is unanswered.
  mutating func ask(now: UInt64) {
    if liveness.ask(answeredPings: session.pingsAcknowledged, now: now) { session.ping() }
  }

  /// Checks whether a PING has been unanswered for too long.
  mutating func isDeaf(now: UInt64) -> Bool {
    liveness.isAsking
      && liveness.judge(answeredPings: session.pingsAcknowledged, now: now) == .dead
  }

  /// Checks that the server is there. After a long silence this takes a PING first: a push on a
  /// connection that a firewall has dropped would be in doubt.
  ///
  /// - Throws: `ChannelFailure` when the server did not answer the PING.
  mutating func isAwake(now: UInt64) throws(ChannelFailure) -> Bool {
    if session.openCount > 0 { return true }
    switch liveness.judge(answeredPings: session.pingsAcknowledged, now: now) {
    case .alive: return true
    case .ask: session.ping()
    case .wait: break
    case .dead: throw .broken("no answer to a PING")
    }
    return false
  }

  /// Sends GOAWAY to a server that may no longer listen.
  func sayGoodbye() {
    session.close()
    _ = try? session.send(over: link)
  }
}

/// Decides whether a connection can still be used after a long silence. A value.
struct Liveness {
  /// The action to take before the next push.
  enum Verdict: Equatable {
    /// Send the push.
    case alive
    /// Send a PING and wait for its answer.
    case ask
    /// Keep waiting for the answer to the PING.
    case wait
    /// Give up: no answer came.
    case dead
  }

  /// The longest silence before a PING is sent, in nanoseconds.
  static let longestSilence: UInt64 = 60_000_000_000

  /// The longest wait for its answer, in nanoseconds.
  static let patience: UInt64 = 5_000_000_000

  private var heardAt: UInt64
  private var asked: (at: UInt64, answeredBefore: Int)?

  init(now: UInt64) { heardAt = now }

  /// A PING is unanswered.
  var isAsking: Bool { asked != nil }

  /// Notes that bytes arrived.
  mutating func heard(now: UInt64) { heardAt = now }

  /// Begins to wait for the answer to a PING; false when one is unanswered already.
  mutating func ask(answeredPings: Int, now: UInt64) -> Bool {
    if asked != nil, judge(answeredPings: answeredPings, now: now) != .alive { return false }
    asked = (now, answeredPings)
    return true
  }

  /// - Parameter answeredPings: the number of PINGs answered in the connection's life.
  mutating func judge(answeredPings: Int, now: UInt64) -> Verdict {
    if let asked {
      if answeredPings > asked.answeredBefore {
        self.asked = nil
        return .alive
      }
      return now - asked.at > Self.patience ? .dead : .wait
    }
    guard now - min(heardAt, now) > Self.longestSilence else { return .alive }
    asked = (now, answeredPings)
    return .ask
  }
}
