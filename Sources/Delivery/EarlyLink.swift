public import Credentials
public import HTTP2
internal import POSIX
internal import Synchronization

/// The first link of a run, opened while its books and lists are: for a single push that is most of
/// the time it takes.
///
/// `@unchecked Sendable` because `isDone` protects the rest: the dialing thread writes before it is
/// set and never after, and the one connection that takes the link reads once it is.
public final class EarlyLink: @unchecked Sendable {
  private let isDone = Atomic(false)
  private let done: Wake
  private var link: TLSConnection?
  private var error: DialError?

  /// Begins to dial, on a thread of its own. Nothing is sent before a run takes the link.
  ///
  /// - Returns: nil when the process has no descriptors or threads left; a run then dials for
  ///   itself.
  public init?(_ target: DialTarget, _ credentials: PushCredentials) {
    guard let done = Wake() else { return nil }
    self.done = done
    let isStarted = Thread.start { [self] in dial(target, credentials.identity) }
    if !isStarted { return nil }
  }

  /// The same for a run that shares the links of a pool.
  ///
  /// - Returns: nil also when the pool has an idle link, which the run will take.
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

  /// Hands the link over, once; waits for it. Nil after that.
  func take() throws(DialError) -> TLSConnection? {
    while !isDone.load(ordering: .acquiring) { done.wait(milliseconds: nil) }
    if let error {
      self.error = nil
      throw error
    }
    return link.take()
  }
}
