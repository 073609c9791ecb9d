public import Credentials
public import HTTP2
internal import POSIX
internal import Synchronization

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
