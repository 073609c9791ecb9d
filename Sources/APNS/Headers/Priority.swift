/// The urgency of a push's delivery: the value of `apns-priority`.
public enum Priority: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// 10: immediately. APNs assumes it when the header is absent.
  case immediate = 10
  /// 5: considers the device's power; may be bundled or throttled.
  case powerAware = 5
  /// 1: favors power over all else; the device is not woken.
  case powerFirst = 1

  /// Parses exactly `10`, `5` or `1`.
  public init?(_ text: some StringProtocol) {
    guard let priority = Self.allCases.first(where: { $0.description == text }) else { return nil }
    self = priority
  }

  /// `10, 5 or 1`.
  static var choices: String { alternatives(allCases.map(\.description)) }

  /// The digits for the header.
  public var description: String { String(rawValue) }
}
