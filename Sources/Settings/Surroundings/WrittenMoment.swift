internal import APNS
internal import POSIX
internal import Reporting

/// A moment as written, in ISO 8601, with the zone that it was taken to be in.
package struct WrittenMoment: Sendable, Equatable {
  /// The seconds since 1970.
  package let seconds: Int64
  /// What is told of its zone; nil when the text says it.
  package let note: String?

  /// - Parameters:
  ///   - offset: the seconds east of UTC at a moment, in seconds since 1970. Of a local time that
  ///     comes twice, when clocks go back, the first is taken; one that never comes, when they go
  ///     forward, is counted from before (RFC 5545, 3.3.5).
  /// - Returns: nil for another text, such as a span of time.
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
        ? "\(text) does not exist, because clocks go forward; taken as \(Self.zone(east)): \(inUTC)"
        : "\(text) is local time\(twice), \(Self.zone(east)): \(inUTC)"
    } else {
      note = nil
    }
  }

  /// `UTC+01:00`
  private static func zone(_ offset: Int64) -> String {
    let minutes = offset.magnitude / 60
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "UTC\(offset < 0 ? "-" : "+")\(digits[0]):\(digits[1])"
  }
}

extension Context {
  /// A moment that the user wrote; nil for another text.
  package func writtenMoment(_ text: String) -> WrittenMoment? {
    WrittenMoment(text, offset: localOffset)
  }

  /// Prints a line on standard error where a person reads it.
  package func tellOnTerminal(_ line: String) { if errors.isOnTerminal { say(line) } }

  /// A moment in UTC, if the text leaves its zone open; else the text as it is. What is told of it is
  /// added to `notes`.
  package func inUTC(_ text: String, of name: String, _ notes: inout [String]) -> String {
    guard let written = writtenMoment(text), let note = written.note else { return text }
    notes.append("\(name): \(note)")
    return ISO8601.text(seconds: written.seconds)
  }
}

/// The seconds east of UTC where this machine is, at a moment in seconds since 1970.
package func systemOffset(_ seconds: Int64) -> Int64 {
  var time = time_t(seconds)
  var fields = tm()
  tzset()
  return localtime_r(&time, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
}
