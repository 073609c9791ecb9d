public import Credentials
public import HTTP2
internal import POSIX
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

/// The pools of a process: one for each server and set of credentials, so that runs share links
/// only where they may.
public final class LinkPools: Sendable {
  private struct State {
    var pools: [LinkPool.Key: LinkPool] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Creates a set without pools.
  public init() {}

  deinit { close() }

  /// Returns the pool for a server and credentials, always the same; a closed one after `close`.
  public func pool(for target: DialTarget, _ credentials: PushCredentials) -> LinkPool {
    state.withLock { state in
      let key = LinkPool.Key(target, credentials)
      if let pool = state.pools[key] { return pool }
      let pool = LinkPool(target, credentials)
      if state.isClosed { pool.close() } else { state.pools[key] = pool }
      return pool
    }
  }

  /// Closes all pools, including those requested later.
  public func close() {
    let pools = state.withLock { state in
      state.isClosed = true
      defer { state.pools = [:] }
      return state.pools
    }
    for pool in pools.values { pool.close() }
  }
}

/// The first link of a run, opened while the ledger and the lists are. For a single push, opening
/// it takes most of the time.
///
/// `@unchecked Sendable` because `isDone` guards the rest: the dialing thread writes only before it
/// is set, and the one connection that takes the link reads only afterwards.
public final class PredialedLink: @unchecked Sendable {
  private let isDone = Atomic(false)
  private let done: Wake
  private var link: TLSConnection?
  private var error: DialError?

  /// Starts dialing on its own thread. Nothing is sent before a run takes the link.
  ///
  /// - Returns: nil when no descriptors or threads are left; the run then dials for itself.
  public init?(_ target: DialTarget, _ credentials: PushCredentials) {
    guard let done = Wake() else { return nil }
    self.done = done
    let isStarted = Thread.start { [self] in dial(target, credentials.identity) }
    if !isStarted { return nil }
  }

  /// Starts dialing for a run that shares the links of a pool.
  ///
  /// - Returns: also nil when the pool has an idle link, which the run will use.
  public convenience init?(_ links: LinkPool) {
    guard links.idleCount == 0 else { return nil }
    self.init(links.target, links.credentials)
  }

  private func dial(_ target: DialTarget, _ identity: ClientIdentity?) {
    do throws(DialError) {
      link = try Dialer.dial(target, identity: identity)
    } catch {
      self.error = error
    }
    isDone.store(true, ordering: .releasing)
    done.call()
  }

  /// Waits for the link and hands it over; nil after the first time.
  func take() throws(DialError) -> TLSConnection? {
    while !isDone.load(ordering: .acquiring) { done.wait(milliseconds: nil) }
    if let error {
      self.error = nil
      throw error
    }
    return link.take()
  }
}
