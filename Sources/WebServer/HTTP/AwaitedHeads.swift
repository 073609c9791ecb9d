internal import HTTP2
internal import POSIX
internal import Synchronization

/// The connections that have yet to send the head of their next request, or its body, by socket.
///
/// Each has a limited time for the whole of it, however slowly it comes. If too many wait, one gives
/// way: a connection that never showed the key before one that did, and of those the oldest. So a
/// new client always gets its turn.
struct AwaitedHeads {
  /// The most connections that may wait at a time.
  let most: Int
  /// The time for a head or a body, in milliseconds.
  let patience: Int64
  /// The times since when they wait.
  private var waiting: [Int32: Int64] = [:]
  /// The connections that have shown the key.
  private var known: Set<Int32> = []

  /// Creates an empty set.
  init(most: Int, patience: Int64) { (self.most, self.patience) = (most, patience) }

  /// The time at which the first has to be closed; nil if none waits.
  var deadline: Int64? { waiting.values.min().map { $0 + patience } }

  /// Adds a connection that is new, or whose last request is answered.
  ///
  /// - Returns: the connection that has to be closed for it.
  mutating func add(_ socket: Int32, at now: Int64) -> Int32? {
    waiting[socket] = now
    guard waiting.count > most else { return nil }
    let others = waiting.filter { $0.key != socket }
    let last = others.min {
      (known.contains($0.key) ? 1 : 0, $0.value) < (known.contains($1.key) ? 1 : 0, $1.value)
    }
    last.map { waiting[$0.key] = nil }
    return last?.key
  }

  /// Removes a connection whose head or body has arrived.
  ///
  /// - Returns: false if it was to be closed before that.
  @discardableResult
  mutating func remove(_ socket: Int32, isKnown: Bool) -> Bool {
    if isKnown { known.insert(socket) }
    return waiting.removeValue(forKey: socket) != nil
  }

  /// Forgets a connection that is closed.
  mutating func forget(_ socket: Int32) {
    waiting[socket] = nil
    known.remove(socket)
  }

  /// Removes the connections whose time is over.
  mutating func takeOverdue(at now: Int64) -> [Int32] {
    let late = waiting.filter { $0.value + patience <= now }.map(\.key)
    for socket in late { waiting[socket] = nil }
    return late
  }
}

/// Closes connections whose heads or bodies do not come. A socket is shut down only while it is known to be
/// open: libmicrohttpd reports its end before it closes it.
final class HeadWatch: Sendable {
  private let heads: Mutex<AwaitedHeads>
  private let wake: Wake

  /// - Parameter wake: is called when there is a first deadline.
  init(_ heads: AwaitedHeads, wake: Wake) {
    self.heads = Mutex(heads)
    self.wake = wake
  }

  /// The time of the next deadline.
  var deadline: Int64? { heads.withLock(\.deadline) }

  /// Expects the head or the body of a request.
  func expect(on socket: Int32) {
    let isFirst = heads.withLock { heads in
      defer { heads.add(socket, at: uptime()).map { _ = shutdown($0, endOfBoth) } }
      return heads.deadline == nil
    }
    if isFirst { wake.call() }
  }

  /// Notes that a head or a body has arrived.
  ///
  /// - Returns: false if the connection gave way to others before that.
  @discardableResult
  func noteArrival(on socket: Int32, isKnown: Bool) -> Bool {
    heads.withLock { $0.remove(socket, isKnown: isKnown) }
  }

  /// Forgets a socket that is about to be closed.
  func forget(_ socket: Int32) { heads.withLock { $0.forget(socket) } }

  /// Ends the connections whose time is over.
  func endOverdue() {
    heads.withLock { heads in
      for socket in heads.takeOverdue(at: uptime()) { _ = shutdown(socket, endOfBoth) }
    }
  }
}

private let endOfBoth = Int32(SHUT_RDWR)
