public import APNS
internal import HTTP2

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Expiration {
  /// Until a time from now, in whole seconds; a negative one is now.
  public static func after(_ duration: Duration) -> Expiration {
    let (end, isTooFar) = RunClock.system.epochSeconds
      .addingReportingOverflow(max(0, duration.components.seconds))
    return Expiration(seconds: isTooFar ? .max : end) ?? .neverStored
  }

  /// Until a time, in whole seconds. One before 1970 counts as then, and has long passed.
  public static func at(_ date: Date) -> Expiration {
    Expiration(seconds: max(1, date.wholeSeconds)) ?? .neverStored
  }

  /// The time; nil for ``neverStored``.
  public var date: Date? { end.map { Date(timeIntervalSince1970: Double($0)) } }

  /// The time after which no push is sent, in seconds since 1970; nil when there is none.
  var end: Int64? { seconds > 0 ? seconds : nil }
}
