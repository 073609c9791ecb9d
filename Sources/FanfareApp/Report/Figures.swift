internal import APNS
internal import PushModel

/// A date in UTC.
///
/// - Parameter day: days since 1970.
func date(_ day: Int64) -> String { String(ISO8601.text(seconds: day * 86_400).prefix(10)) }

/// A share of all, from 0 to 1: only all of it is 100%, and only nothing 0%.
func percent(_ share: Double) -> String {
  let tenths = (share * 1000).rounded()
  if share > 0, tenths < 1 { return "<0.1%" }
  if share < 1, tenths > 999 { return ">99.9%" }
  return "\(fixed(share * 100, decimals: 1))%"
}

/// A part of a whole in percent. What is not all, or not nothing, does not look so.
func share(_ count: Int, of total: Int) -> String {
  let percent = 100 * Double(count) / Double(max(total, 1))
  if count < total, percent > 99.95 { return "over 99.9 %" }
  if count > 0, percent < 0.05 { return "under 0.1 %" }
  return fixed(percent, decimals: percent == 0 || percent == 100 ? 0 : 1) + " %"
}

/// The end of a device token, as screens show it.
func shortToken(_ token: String) -> String {
  token.utf8.count > 8 ? "…" + token.suffix(8) : token
}

extension Outcome {
  /// The outcome in words.
  var words: String { self == .notAttempted ? "not attempted" : rawValue }

  /// How it stands out.
  var tone: StyledText.Tone {
    switch self {
    case .accepted: .good
    case .rejected, .skipped: .bad
    case .deferred, .unknown, .notAttempted: .doubtful
    }
  }
}

extension Style {
  /// The color of an outcome.
  func of(_ outcome: Outcome) -> (String) -> String {
    switch outcome {
    case .accepted: good
    case .rejected, .skipped: bad
    case .deferred, .unknown, .notAttempted: doubtful
    }
  }
}
