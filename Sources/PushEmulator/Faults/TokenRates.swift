internal import APNS
internal import Synchronization

/// Counts the pushes of each device token, over all connections.
final class TokenRates: Sendable {
  private struct Span {
    var start: Int64
    var count: Int
  }

  private struct State {
    var spans: [DeviceToken: Span] = [:]
    /// How many spans there may be before those that are over are forgotten.
    var nextSweep = 1024
  }

  private let limit: TokenRateLimit
  private let state = Mutex(State())

  init(_ limit: TokenRateLimit) { self.limit = limit }

  /// Counts a push at a time in milliseconds; false when it is one too many.
  func admit(_ token: DeviceToken, at now: Int64) -> Bool {
    state.withLock { state in
      var span = state.spans[token] ?? Span(start: now, count: 0)
      if isOver(span, at: now) { span = Span(start: now, count: 0) }
      span.count += 1
      state.spans[token] = span
      if state.spans.count > state.nextSweep { sweep(&state, at: now) }
      return span.count <= limit.count
    }
  }

  private func isOver(_ span: Span, at now: Int64) -> Bool {
    now - span.start >= limit.milliseconds
  }

  private func sweep(_ state: inout State, at now: Int64) {
    state.spans = state.spans.filter { !isOver($0.value, at: now) }
    state.nextSweep = max(1024, 2 * state.spans.count)
  }
}

/// How many pushes a device token is good for in a span of time; more are answered with 429
/// `TooManyRequests`.
public struct TokenRateLimit: Sendable, Hashable {
  /// How many pushes.
  public var count: Int
  /// In how many milliseconds. A span begins with a push, the next one with the first push after
  /// it.
  public var milliseconds: Int

  /// A limit.
  public init(count: Int, milliseconds: Int) {
    self.count = count
    self.milliseconds = milliseconds
  }
}
