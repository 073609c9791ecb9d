public import APNS

/// How many errors a connection bears before it slows the client down, and then sends it away
/// (Apple: Handling notification responses from APNs).
///
/// Each answer of 4xx costs a point, and some cost more. 410 is no error.
public struct ErrorBudget: Sendable, Hashable {
  /// What the reasons cost that do not cost a point.
  public var costs: [Reason: Int]
  /// With so many points fewer streams are allowed; nil never.
  public var slowsAt: Int?
  /// How many streams are allowed then.
  public var slowLimit: Int
  /// With so many points the connection ends with GOAWAY; nil never.
  public var endsAt: Int?
  /// What GOAWAY says.
  public var end: ConnectionEnd

  /// A budget. Apple says that `BadDeviceToken` is borne for a shorter time than others, but names
  /// no figures: that it costs five points is the emulator's choice.
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

  /// What an answer costs.
  func cost(_ status: Status, _ reason: Reason?) -> Int {
    guard status.isCountedError else { return 0 }
    return max(0, reason.flatMap { costs[$0] } ?? 1)
  }
}

extension Status {
  /// Whether APNs counts it as the sender's error.
  var isCountedError: Bool { 400..<500 ~= rawValue && self != .gone }
}
