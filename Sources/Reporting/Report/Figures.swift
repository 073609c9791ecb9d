internal import APNS
internal import PlainText
internal import PushModel

/// A number with its noun: `1 push`, `2 pushes`, `1,000 tokens`.
package func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

/// A number with a comma between thousands.
package func grouped(_ number: Int) -> String { number.grouped }

/// A number with a fixed number of decimals.
package func fixed(_ number: Double, decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
  let scaled = Int((number * scale).rounded())
  guard decimals > 0 else { return String(scaled) }
  let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
  let zeros = String(repeating: "0", count: decimals - String(rest).count)
  return "\(scaled < 0 ? "-" : "")\(whole).\(zeros)\(rest)"
}

/// Milliseconds to a useful precision: `0.8 ms`, `12 ms`, `3,400 ms`.
package func milliseconds(_ value: Double) -> String {
  value < 10 ? "\(fixed(value, decimals: 1)) ms" : "\(grouped(Int(value.rounded()))) ms"
}

/// A duration as a clock shows it: `0:09`, `1:02:03`.
package func clockText(_ seconds: Int) -> String {
  func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
  let start = hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)"
  return "\(start):\(padded(seconds % 60))"
}

extension String {
  package func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  package func padding(left width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }
}

/// The UTC day of a time in seconds since 1970: `2026-11-21`.
package func utcDay(_ second: Int64) -> String { String(ISO8601.text(seconds: second).prefix(10)) }

/// A share between 0 and 1 as a percentage; only 1 is shown as 100%, and only 0 as 0%.
package func percent(_ share: Double, decimals: Int = 1) -> String {
  let all = (0..<decimals).reduce(100.0) { all, _ in all * 10 }
  let (count, least) = ((share * all).rounded(), 100 / all)
  if share > 0, count < 1 { return "<\(fixed(least, decimals: decimals))%" }
  if share < 1, count > all - 1 { return ">\(fixed(100 - least, decimals: decimals))%" }
  return "\(fixed(share * 100, decimals: decimals))%"
}

/// The last digits of a device token, for display.
package func shortToken(_ token: String) -> String {
  token.utf8.count > 8 ? "…" + token.suffix(8) : token
}

/// The recipient of a push: its device token, shortened on request, or the channel, never secret.
package func shownRecipient(_ token: String, _ channel: String?, showsToken: Bool) -> String {
  channel.map { "channel \($0)" } ?? (showsToken ? token : shortToken(token))
}

extension Outcome {
  package var words: String { self == .notAttempted ? "not attempted" : rawValue }

  /// The words, with a short form for the tables that have only accepted and rejected ones.
  package var heading: StyledText {
    switch self {
    case .accepted: StyledText(words).orShort("ok")
    case .rejected: StyledText(words).orShort("bad")
    case .skipped, .deferred, .unknown, .notAttempted: StyledText(words)
    }
  }

  package var tone: StyledText.Tone {
    switch self {
    case .accepted: .good
    case .rejected, .skipped: .bad
    case .deferred, .unknown, .notAttempted: .doubtful
    }
  }
}

extension [String] {
  /// Appends the names that are not in the list yet.
  package mutating func add(_ names: [String]) {
    for name in names where !contains(name) { append(name) }
  }
}

/// A time in milliseconds since 1970, told in the reader's zone.
package func moment(_ milliseconds: Int64) -> StyledText { .time(milliseconds / 1000) }
