internal import APNS
internal import POSIX
internal import Reporting

/// A time as written in ISO 8601, with the zone assumed for it.
package struct WrittenMoment: Sendable, Equatable {
  /// The time in seconds since 1970.
  package let seconds: Int64
  /// A note on the assumed zone; nil when the text includes one.
  package let note: String?

  /// - Parameters:
  ///   - offset: the offset from UTC in seconds, at a time in seconds since 1970. A local time that
  ///     occurs twice, when clocks go back, is the first one; in the gap when they go forward, the
  ///     offset before the gap applies (RFC 5545, 3.3.5).
  /// - Returns: nil for any other text, such as a time span.
  package init?(_ text: String, offset: (Int64) -> Int64) {
    guard let written = ISO8601.written(text) else { return nil }
    let (before, after) = (
      offset(written.seconds - 86_400), offset(written.seconds + 86_400)
    )
    let fitting =
      before == after
      ? [before] : [before, after].filter { offset(written.seconds - $0) == $0 }
    let east = written.offset ?? fitting.first ?? before
    seconds = written.seconds - east
    let inUTC = ISO8601.text(seconds: seconds)
    if written.isDate {
      note = "\(text) begins at midnight UTC: \(inUTC)"
    } else if written.offset == nil {
      let twice = fitting.count > 1 ? ", the first of two" : ""
      note =
        fitting.isEmpty
        ? "\(text) does not exist, because clocks go forward; taken as UTC\(LocalTime.zone(east)): \(inUTC)"
        : "\(text) is local time\(twice), UTC\(LocalTime.zone(east)): \(inUTC)"
    } else {
      note = nil
    }
  }
}

extension Context {
  /// Parses a time written by the user; nil for any other text.
  package func writtenMoment(_ text: String) -> WrittenMoment? {
    WrittenMoment(text, offset: localOffset)
  }

  /// Converts a time without a zone to UTC, and adds a note to `notes`; any other text is
  /// unchanged.
  package func inUTC(_ text: String, of name: String, _ notes: inout [String]) -> String {
    guard let written = writtenMoment(text), let note = written.note else { return text }
    notes.append("\(name): \(note)")
    return ISO8601.text(seconds: written.seconds)
  }
}

/// The local offset from UTC in seconds, at a time in seconds since 1970.
package func systemOffset(_ seconds: Int64) -> Int64 {
  var time = time_t(seconds)
  var fields = tm()
  tzset()
  return localtime_r(&time, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
}
