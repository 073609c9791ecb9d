public import Credentials
public import HTTP2
internal import Synchronization

/// Keeps links to one server open between runs with the same credentials, and hands each to the
/// first run that asks.
///
/// APNs wants connections to stay open and may treat rapid reconnecting as an attack ("Sending
/// notification requests to APNs"). Runs on any thread may share a pool; a link in use belongs to
/// one run. Links that the server has closed are noticed before a push is sent over them.
public final class LinkPool: Sendable {
  /// The server and credentials that interchangeable links share.
  struct Key: Hashable {
    let target: DialTarget
    /// The object that makes the tokens or holds the certificate. The pool keeps it alive, so its
    /// identifier stays unique.
    let credentials: ObjectIdentifier

    init(_ target: DialTarget, _ credentials: PushCredentials) {
      self.target = target
      self.credentials = credentials.objectIdentifier
    }
  }

  private struct State {
    var idle: [PooledLink] = []
    var isClosed = false
  }

  let target: DialTarget
  package let credentials: PushCredentials
  private let state = Mutex(State())

  /// Creates a pool without links; runs add them.
  ///
  /// - Parameters:
  ///   - target: the server of all its links.
  ///   - credentials: the credentials of all its links. Credentials created separately are
  ///     different, even from the same key: two sources of provider tokens do not coordinate.
  public init(_ target: DialTarget, _ credentials: PushCredentials) {
    self.target = target
    self.credentials = credentials
  }

  deinit { close() }

  /// The number of links not in use. The server may have closed some of them.
  public var idleCount: Int { state.withLock { $0.idle.count } }

  /// Closes all idle links. Those in use close when their runs are done with them.
  public func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for link in idle { link.take()?.sayGoodbye() }
  }

  /// Checks whether runs to this server with these credentials may share its links.
  func serves(_ target: DialTarget, _ credentials: PushCredentials) -> Bool {
    Key(target, credentials) == Key(self.target, self.credentials)
  }

  /// Returns the most recently used link, as the likeliest to be good; nil when all are in use.
  func take() -> HTTP2Link? { state.withLock { $0.idle.popLast() }?.take() }

  /// Keeps a link that has nothing in flight.
  func put(_ link: consuming HTTP2Link) {
    let idle = PooledLink(link)
    let isKept = state.withLock { state in
      if !state.isClosed { state.idle.append(idle) }
      return !state.isClosed
    }
    if !isKept { idle.take()?.sayGoodbye() }
  }
}

/// A link in a pool.
///
/// `@unchecked Sendable` because one thread at a time has it: the run that adds it, the pool, or
/// the one run that takes it; the pool's lock separates them.
private final class PooledLink: @unchecked Sendable {
  private var link: HTTP2Link?

  init(_ link: consuming HTTP2Link) { self.link = consume link }

  func take() -> HTTP2Link? { link.take() }
}
