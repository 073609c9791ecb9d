internal import HTTP2

extension ReceivedPushes {
  /// What came of waiting.
  public struct Arrival: Sendable {
    /// Whether as many came as were waited for.
    public var isComplete: Bool
    /// What came, and where it ends.
    public var page: Page
  }

  /// Waits until so many pushes after a number match a filter, or the time is over.
  ///
  /// - Parameters:
  ///   - count: how many are wanted; 0 only looks.
  ///   - milliseconds: how long to wait at most, by `uptime`.
  ///   - uptime: milliseconds from any start that never go back; the emulator's own.
  ///   - isCancelled: asked whenever something came; true ends the wait.
  /// - Returns: at most `count` pushes. To wait without a thread, see ``call(after:_:)``.
  public func wait(
    for count: Int, _ filter: PushFilter = .init(), after id: Int = 0, milliseconds: Int,
    uptime: () -> Int64, isCancelled: () -> Bool = { false }
  ) -> Arrival {
    var found = Page(pushes: [], cursor: id)
    let wake = Wake()
    let deadline = uptime() + Int64(max(0, milliseconds))
    while true {
      let seen = position
      found.append(page(filter, after: found.cursor, limit: count - found.pushes.count))
      let rest = deadline - uptime()
      let isComplete = found.pushes.count >= count
      guard let wake, !isComplete, rest > 0, !isCancelled() else {
        return Arrival(isComplete: isComplete, page: found)
      }
      let registration = call(after: seen) { wake.call() }
      wake.wait(milliseconds: Int(rest))
      if let registration { cancel(registration) }
    }
  }
}

extension ReceivedPushes.Page {
  /// Goes on with the page that follows.
  fileprivate mutating func append(_ next: Self) {
    pushes += next.pushes
    cursor = next.cursor
  }
}
