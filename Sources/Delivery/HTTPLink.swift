internal import Credentials
internal import HTTP2

/// A link and the HTTP/2 session on it, with all that was learnt of the server: what stays when one
/// run hands it to the next.
struct HTTPLink: ~Copyable {
  let session: ClientSession
  var window: Window
  /// The provider token of the last push; nil when a certificate is used.
  var token: ProviderToken?
  /// Whether an answer came that says nothing against this link.
  var hasServed = false

  /// How many reads there are in a row before deadlines and everything else get their turn: a server
  /// may send faster than it is read.
  private static let readsInARow = 64

  private let link: TLSConnection
  private var liveness: Liveness
  /// Whether more may have arrived than was read.
  private var hasUnread = false
  private let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 8)

  /// - Parameter firstStream: the number of the first stream. Anything but 1 is for tests.
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

  /// Whether the next run may have it: it has proven to be of use, nothing is in flight, no PING
  /// either, and no GOAWAY came.
  var isWorthKeeping: Bool {
    hasServed && session.acceptsRequests && session.openCount == 0 && !liveness.isAsking
  }

  /// Moves bytes in both directions until neither has any more, or many were read.
  ///
  /// - Returns: whether the link is full and has to be waited for.
  mutating func exchangeBytes(now: UInt64) throws -> Bool {
    let isSent = try send(now: now)
    try receive(now: now)
    window.settings(session.peerConcurrency)
    return try !isSent || !session.send(over: link)
  }

  /// Reads what the server said in the meantime. It may have been long ago: that the
  /// server is still there, it does not tell.
  mutating func catchUp() throws {
    try receive(now: nil)
    window.settings(session.peerConcurrency)
  }

  /// What the server said before it closed the door is worth more than that the door is closed.
  private mutating func send(now: UInt64) throws -> Bool {
    do {
      return try session.send(over: link)
    } catch {
      try receive(now: now)
      throw error
    }
  }

  /// - Parameter now: nil when it is not known when the bytes came.
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
      // The server is told why; whether it listens is its own affair.
      _ = try? session.send(over: link)
      throw error
    }
    // If that is because the server broke the protocol, sending brings it to light.
    if !session.acceptsRequests { _ = try session.send(over: link) }
  }

  func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) {
    if hasUnread { return }
    let ready = link.wait(forRoom: forRoom, wake: wake, milliseconds: milliseconds)
    if ready.contains(.woken) { wake.clear() }
  }

  /// Whether the answer to a PING is waited for.
  var isAsking: Bool { liveness.isAsking }

  /// Whether the server is known to be there. After a long silence it is asked with a PING first:
  /// a push on a connection that a firewall has forgotten would be in doubt.
  ///
  /// - Throws: `ChannelFailure` when it did not answer the PING.
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

  /// Says goodbye to a server that may no longer listen.
  func sayGoodbye() {
    session.close()
    _ = try? session.send(over: link)
  }
}
