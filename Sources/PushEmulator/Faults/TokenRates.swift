internal import APNS
internal import Synchronization

/// Counts the pushes of each device token, over all connections.
final class TokenRates: Sendable {
  private struct Span {
    var start: Int64
    var count: Int
  }

  private let limit: TokenRateLimit
  private let spans = Mutex<[DeviceToken: Span]>([:])

  init(_ limit: TokenRateLimit) { self.limit = limit }

  /// Counts a push at a time in milliseconds; false when it is one too many.
  func admit(_ token: DeviceToken, at now: Int64) -> Bool {
    spans.withLock { spans in
      var span = spans[token] ?? Span(start: now, count: 0)
      if now - span.start >= limit.milliseconds { span = Span(start: now, count: 0) }
      span.count += 1
      spans[token] = span
      return span.count <= limit.count
    }
  }
}
