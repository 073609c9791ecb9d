#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// Numbers of a caller's: whatever they are, none of them may end the process.

extension Duration {
  /// The time, or a day, which is the longest that is waited for anything; none for a negative one.
  package var waitable: Duration { min(max(self, .zero), .seconds(24 * 60 * 60)) }

  /// Whole milliseconds: at least one, and a day's at most.
  package var milliseconds: Int { max(1, microseconds / 1000) }

  /// Whole microseconds: a day's at most.
  var microseconds: Int {
    let (seconds, attoseconds) = waitable.components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}

extension Date {
  /// Whole seconds since 1970; the nearest that there are for a time beyond all of them.
  var wholeSeconds: Int64 {
    let seconds = timeIntervalSince1970.rounded(.down)
    return Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max)
  }

  /// A time that APNs or a history has in milliseconds since 1970.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Milliseconds since 1970; the nearest that there are for a time beyond all of them.
  package var milliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
  }
}
