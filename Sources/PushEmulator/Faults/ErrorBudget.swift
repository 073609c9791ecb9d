public import APNS
internal import Synchronization

/// The errors a connection tolerates before it slows the client down, and then disconnects it
/// (Apple: Handling notification responses from APNs).
///
/// Each 4xx answer costs a point, and some cost more. 410 does not count as an error.
public struct ErrorBudget: Sendable, Hashable {
  /// The costs of reasons that cost other than one point.
  public var costs: [Reason: Int]
  /// The points at which the stream limit is lowered; nil for never.
  public var slowsAt: Int?
  /// The lowered stream limit.
  public var slowLimit: Int
  /// The points at which the connection ends with GOAWAY; nil for never.
  public var endsAt: Int?
  /// The contents of that GOAWAY.
  public var end: ConnectionEnd

  /// Creates a budget. Apple says `BadDeviceToken` is tolerated less than other errors, but gives
  /// no figures: the five points are the emulator's choice.
  public init(
    costs: [Reason: Int] = [.badDeviceToken: 5], slowsAt: Int?, slowLimit: Int = 1,
    endsAt: Int? = nil, end: ConnectionEnd = ConnectionEnd()
  ) {
    self.costs = costs
    self.slowsAt = slowsAt
    self.slowLimit = slowLimit
    self.endsAt = endsAt
    self.end = end
  }

  /// The cost of an answer.
  func cost(_ status: Status, _ reason: Reason?) -> Int {
    guard status.isCountedError else { return 0 }
    return max(0, reason.flatMap { costs[$0] } ?? 1)
  }
}

extension Status {
  /// APNs counts it as the sender's error.
  var isCountedError: Bool { 400..<500 ~= rawValue && self != .gone }
}

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
