internal import PushEmulator

/// Waits until so many pushes match, or the time is over, and then lists them:
/// `{"complete":true,"pushes":[…],"cursor":12}`. While it waits it has a count and a position.
final class WaitStream: BodyStream, @unchecked Sendable {
  /// What is waited for.
  struct Request: Sendable {
    var filter: PushFilter
    /// The pushes after the one of this ID count.
    var after: Int
    /// How many have to come, and the most that are listed.
    var count: Int
    /// How long it takes at most, in milliseconds.
    var timeout: Int
  }

  private let received: ReceivedPushes
  private let request: Request
  /// Pushes up to this ID count even with a time-out of 0.
  private let start: Int
  private var cursor: Int
  private var found = 0
  private var deadline: Int64?
  private var heartbeat = Heartbeat()
  private var list: PushListStream?

  init(_ received: ReceivedPushes, _ request: Request) {
    (self.received, self.request, cursor) = (received, request, request.after)
    start = received.position.id
  }

  func next(now: Int64) -> BodyPiece {
    if let list { return list.next(now: now) }
    let end = deadline ?? now + Int64(request.timeout)
    deadline = end
    let hasMore = look()
    let isOver = now >= end && (cursor >= start || !hasMore)
    if found >= request.count || isOver { return beginList(now: now) }
    if hasMore { return .nothing(until: now) }
    // A client that has gone is noticed by writing. White space is allowed before JSON.
    if heartbeat.isDue(now) { return .bytes([UInt8(ascii: " ")]) }
    return .nothing(until: min(end, heartbeat.next(now)))
  }

  /// Looks at a slice; false when there was nothing new.
  private func look() -> Bool {
    let page = received.page(
      request.filter, after: cursor, limit: request.count - found, lookingAt: PushElements.slice)
    defer { cursor = page.cursor }
    found += page.pushes.count
    return page.cursor > cursor
  }

  private func beginList(now: Int64) -> BodyPiece {
    let elements = PushElements(
      received, request.filter, after: request.after, limit: found)
    let stream = PushListStream(
      elements, opening: "{\"complete\":\(found >= request.count),\"pushes\":",
      lookedAt: cursor)
    list = stream
    return stream.next(now: now)
  }
}

/// When a stream that has nothing to send sends something all the same.
struct Heartbeat {
  /// In milliseconds.
  static let interval: Int64 = 15_000

  private var due: Int64?

  /// When the next one is due.
  mutating func next(_ now: Int64) -> Int64 {
    let time = due ?? now + Self.interval
    due = time
    return time
  }

  /// Whether one is due; if so, the next one is due an interval later.
  mutating func isDue(_ now: Int64) -> Bool {
    guard now >= next(now) else { return false }
    due = now + Self.interval
    return true
  }
}
