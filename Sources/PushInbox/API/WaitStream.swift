internal import PushEmulator
internal import WebServer

/// Waits until enough pushes match or the timeout expires, then lists them:
/// `{"complete":true,"pushes":[…],"cursor":12}`. It keeps only a count and a position. If the inbox
/// is cleared meanwhile, it counts anew, and the answer begins with `"cleared":true`.
final class WaitStream: BodyStream, @unchecked Sendable {
  /// The condition to wait for.
  struct Request: Sendable {
    var filter: PushFilter
    /// Only pushes after this ID count.
    var after: Int
    /// The number to wait for, and the most that are listed.
    var count: Int
    /// The maximum wait, in milliseconds.
    var timeout: Int
  }

  private let received: ReceivedPushes
  private let request: Request
  private let place: StreamPlace
  /// Pushes up to this ID count even with a timeout of 0.
  private let start: Int
  private var cursor: Int
  private var found = 0
  private var clears: Int
  private var isCleared = false
  private var deadline: Int64?
  private var heartbeat = KeepAliveSchedule()
  private var list: PushListStream?

  init(_ received: ReceivedPushes, _ request: Request, _ place: StreamPlace) {
    (self.received, self.request, self.place) = (received, request, place)
    let now = received.position
    (start, clears, cursor) = (now.id, now.clears, request.after)
  }

  func next(now: Int64) -> BodyPiece {
    if let list { return list.next(now: now) }
    let end = deadline ?? now + Int64(request.timeout)
    deadline = end
    let hasMore = look()
    let isOver = now >= end && (cursor >= start || !hasMore)
    if found >= request.count || isOver { return beginList(now: now) }
    if hasMore { return .nothing(until: now) }
    // Only writing reveals that a client has gone. White space is allowed before JSON.
    if heartbeat.isDue(now) { return .bytes([UInt8(ascii: " ")]) }
    return .nothing(until: min(end, heartbeat.next(now)))
  }

  /// Examines a slice; false if there was nothing new.
  private func look() -> Bool {
    let page = received.page(
      request.filter, after: cursor, limit: request.count - found, lookingAt: PushElements.slice)
    let clears = received.position.clears
    guard clears == self.clears else {
      (self.clears, isCleared, found, cursor) = (clears, true, 0, request.after)
      return true
    }
    defer { cursor = page.cursor }
    found += page.pushes.count
    return page.cursor > cursor
  }

  private func beginList(now: Int64) -> BodyPiece {
    let elements = PushElements(
      received, request.filter, after: request.after, limit: found)
    let stream = PushListStream(
      elements,
      opening: "{\(isCleared ? "\"cleared\":true," : "")"
        + "\"complete\":\(found >= request.count),\"pushes\":",
      lookedAt: cursor)
    list = stream
    return stream.next(now: now)
  }
}
