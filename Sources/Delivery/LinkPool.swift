public import Credentials
public import HTTP2
internal import Synchronization

/// Keeps links open between runs to one server with one set of credentials, and hands each to the
/// run that comes first.
///
/// APNs wants connections to stay open, and takes many that come and go for an attack ("Sending
/// notification requests to APNs"). Runs of any thread may share a pool; a link that is in use
/// belongs to one of them. Links that a server has left are noticed before a push is put on them.
public final class LinkPool: Sendable {
  /// What links have in common that can replace each other.
  struct Key: Hashable {
    let target: DialTarget
    /// The object that makes the tokens, or holds the certificate. While a pool holds it, no other
    /// has the same.
    let credentials: ObjectIdentifier

    init(_ target: DialTarget, _ credentials: PushCredentials) {
      self.target = target
      self.credentials = credentials.objectIdentifier
    }
  }

  private struct State {
    var idle: [IdleLink] = []
    var isClosed = false
  }

  let target: DialTarget
  package let credentials: PushCredentials
  private let state = Mutex(State())

  /// A pool without links; runs bring them.
  ///
  /// - Parameters:
  ///   - target: where all its links lead.
  ///   - credentials: who all its links were opened for. Other credentials are those that were made
  ///     another time, even if from the same key: two sources of provider tokens do not agree.
  public init(_ target: DialTarget, _ credentials: PushCredentials) {
    self.target = target
    self.credentials = credentials
  }

  deinit { close() }

  /// How many links are not in use now. Some may have been closed by the server.
  public var idleCount: Int { state.withLock { $0.idle.count } }

  /// Says goodbye on all idle links. Those in use follow when their runs are done with them.
  public func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for link in idle { link.take()?.sayGoodbye() }
  }

  /// Whether runs to this server with these credentials may share its links.
  func serves(_ target: DialTarget, _ credentials: PushCredentials) -> Bool {
    Key(target, credentials) == Key(self.target, self.credentials)
  }

  /// The link that was used last, for it is the likeliest to be good; nil when all are in use.
  func take() -> HTTPLink? { state.withLock { $0.idle.popLast() }?.take() }

  /// Keeps a link on which nothing is in flight.
  func put(_ link: consuming HTTPLink) {
    let idle = IdleLink(link)
    let isKept = state.withLock { state in
      if !state.isClosed { state.idle.append(idle) }
      return !state.isClosed
    }
    if !isKept { idle.take()?.sayGoodbye() }
  }
}

/// A link in a pool.
///
/// `@unchecked Sendable` because one thread at a time has it: the run that puts it, the pool, and
/// whoever gets it from there, once; the pool's lock is between them.
private final class IdleLink: @unchecked Sendable {
  private var link: HTTPLink?

  init(_ link: consuming HTTPLink) { self.link = consume link }

  func take() -> HTTPLink? { link.take() }
}
