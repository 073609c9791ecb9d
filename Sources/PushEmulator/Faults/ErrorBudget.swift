public import APNS

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
