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
    /// The number of spans at which expired ones are removed.
    var nextSweep = 1024
  }

  private let limit: TokenRateLimit
  private let state = Mutex(State())

  init(_ limit: TokenRateLimit) { self.limit = limit }

  /// Counts a push at a time in milliseconds; false if it exceeds the limit.
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

/// A limit on the pushes per device token in a period; more get 429 `TooManyRequests`.
public struct TokenRateLimit: Sendable, Hashable {
  /// The number of pushes.
  public var count: Int
  /// The period in milliseconds. It starts with a push, and the next with the first push after it.
  public var milliseconds: Int

  /// Creates a limit.
  public init(count: Int, milliseconds: Int) {
    self.count = count
    self.milliseconds = milliseconds
  }
}
