public import Credentials
public import HTTP2
internal import Synchronization

/// The pools of a process: one for each server and set of credentials, so that runs share links
/// where they may and never otherwise.
public final class LinkPools: Sendable {
  private struct State {
    var pools: [LinkPool.Key: LinkPool] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// No pool yet.
  public init() {}

  deinit { close() }

  /// The pool for a server and credentials, the same each time; a closed one after `close`.
  public func pool(for target: DialTarget, _ credentials: PushCredentials) -> LinkPool {
    state.withLock { state in
      let key = LinkPool.Key(target, credentials)
      if let pool = state.pools[key] { return pool }
      let pool = LinkPool(target, credentials)
      if state.isClosed { pool.close() } else { state.pools[key] = pool }
      return pool
    }
  }

  /// Closes all pools, and those that are still asked for.
  public func close() {
    let pools = state.withLock { state in
      state.isClosed = true
      defer { state.pools = [:] }
      return state.pools
    }
    for pool in pools.values { pool.close() }
  }
}
