internal import Fanfare
internal import PushEmulator
internal import Synchronization

extension LocalAPNs {
  /// The place up to which ``LocalAPNs/next(_:within:)`` has read.
  final class Reading: Sendable {
    /// The number of the last push that was returned.
    let last = Mutex(0)
  }

  /// The reason that waiting ended: what was waited for did not come in time.
  public struct TimedOut: Error, Sendable, Hashable, CustomStringConvertible {
    /// The time waited, and what came instead.
    public let description: String
  }

  /// Waits for the next push, which is the first that no earlier call has returned: one that is
  /// here already is not missed.
  ///
  /// - Throws: ``TimedOut``, or `CancellationError` when the task is cancelled.
  public func next(within limit: Duration = .seconds(10)) async throws -> Push {
    try await next(1, within: limit)[0]
  }

  /// Waits for the next pushes. Until all of them are here, none is taken.
  ///
  /// - Throws: ``TimedOut``, or `CancellationError` when the task is cancelled.
  public func next(_ count: Int, within limit: Duration = .seconds(10)) async throws -> [Push] {
    try await wait(limit, for: { self.take(count) }) {
      "of \(count) \(count == 1 ? "push" : "pushes"), \(self.unread(atMost: count).count) came"
    }
  }

  /// Waits for a push that fits, and returns the first among all that were received.
  ///
  /// - Throws: ``TimedOut``, or `CancellationError` when the task is cancelled.
  public func first(
    within limit: Duration = .seconds(10), where fits: @escaping @Sendable (Push) -> Bool
  ) async throws -> Push {
    try await wait(limit, for: { self.received.first(where: fits) }) {
      "none of \(self.received.count) received pushes fits"
    }
  }
}

extension LocalAPNs {
  private func take(_ count: Int) -> [Push]? {
    reading.last.withLock { last in
      let pushes = unread(after: last, atMost: count)
      guard pushes.count == count else { return nil }
      last = pushes.last?.id ?? last
      return pushes.map(Push.init)
    }
  }

  private func unread(atMost count: Int) -> [ReceivedPush] {
    unread(after: reading.last.withLock(\.self), atMost: count)
  }

  private func unread(after last: Int, atMost count: Int) -> [ReceivedPush] {
    let counts = inbox.counts
    var pushes: [ReceivedPush] = []
    // Older ones were dropped or forgotten.
    var id = max(last, counts.received - counts.kept)
    while pushes.count < count, let push = inbox.push(id + 1) {
      if push.isPush { pushes.append(push) }
      id += 1
    }
    return pushes
  }

  /// Looks for something whenever a push arrives, until it is there.
  private func wait<Value: Sendable>(
    _ limit: Duration, for search: @escaping @Sendable () -> Value?,
    instead: @escaping @Sendable () -> String
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await self.found(search) }
      group.addTask {
        try await Task.sleep(for: limit.waitable)
        return nil
      }
      defer { group.cancelAll() }
      if let value = try await group.next() ?? nil { return value }
      throw TimedOut(description: "Waited \(limit), but \(instead()).")
    }
  }

  private func found<Value: Sendable>(_ search: @Sendable () -> Value?) async throws -> Value {
    while true {
      let position = inbox.position
      if let value = search() { return value }
      await event(after: position)
      try Task.checkCancellation()
    }
  }

  /// Waits for the next event of the inbox, or the end of the task.
  private func event(after position: ReceivedPushes.Position) async {
    let (events, continuation) = AsyncStream.makeStream(of: Void.self)
    let registration = inbox.call(after: position) { continuation.finish() }
    for await _ in events {}
    if let registration { inbox.cancel(registration) }
  }
}
