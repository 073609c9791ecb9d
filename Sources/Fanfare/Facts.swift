public import APNS
public import PushModel

// What the library says of values that it shares with the program.

extension Problem {
  /// It is probably not meant, though APNs takes it; false for an error.
  public var isWarning: Bool { severity == .warning }

  /// The part of the notification: `header apns-priority`, `aps.sound.volume`, or `payload`.
  public var location: String { place.description }
}

extension Reason {
  /// The meaning, in one sentence; nil for a reason that is newer than this package.
  public var meaning: String? { info?.meaning }

  /// The advice, in one sentence; nil for a reason that is newer than this package.
  public var advice: String? { info?.advice }
}

extension PushRate {
  /// Creates a rate of so many attempts in a time, evenly spaced; nil unless both are positive and
  /// the rate is at most a billion a second. A time of more than a day counts as a day.
  public init?(_ count: Int, per time: Duration) {
    let (thousands, isTooMany) = count.multipliedReportingOverflow(by: 1000)
    if isTooMany { return nil }
    self.init(thousands, perMilliseconds: time.microseconds)
  }
}
