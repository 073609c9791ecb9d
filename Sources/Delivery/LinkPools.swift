public import Credentials
public import HTTP2
internal import Synchronization

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
