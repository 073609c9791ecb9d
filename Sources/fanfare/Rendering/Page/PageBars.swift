internal import APNS
internal import PushModel

/// A bar as long as a count is of the greatest one.
func lengthBar(_ count: Int, of most: Int, fill: String) -> String {
  let length = fixed(100 * Double(count) / Double(max(most, 1)), decimals: 2)
  return """
    <svg class="bar" width="100%" height="16" aria-hidden="true">\
    <rect width="\(length)%" height="16" rx="2" fill="\(fill)"/></svg>
    """
}

/// The pattern of an outcome, which does not need its colour to be told from others.
func fill(_ outcome: Outcome) -> String { "url(#is-\(outcome.rawValue))" }

/// A small square of an outcome's pattern.
func swatch(_ outcome: Outcome) -> String {
  """
  <svg class="swatch" width="14" height="14" aria-hidden="true"><rect width="14" height="14" rx="2" \
  fill="\(fill(outcome))"/></svg>
  """
}

/// The patterns that bars are filled with.
let outcomePatterns =
  "<svg class=\"unseen\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
  + Outcome.allCases.map(pattern).joined() + "</defs></svg>"

private func pattern(_ outcome: Outcome) -> String {
  """
  <pattern id="is-\(outcome.rawValue)" width="8" height="8" patternUnits="userSpaceOnUse">\
  <rect width="8" height="8" class="\(outcome.rawValue)"/>\(marks(outcome))</pattern>
  """
}

private func marks(_ outcome: Outcome) -> String {
  switch outcome {
  case .accepted: ""
  case .rejected: #"<path class="mark" d="M-2 2l4-4M0 8l8-8M6 10l4-4"/>"#
  case .skipped: #"<path class="mark" d="M0 4h8"/>"#
  case .deferred: #"<circle class="dot" cx="4" cy="4" r="1.5"/>"#
  case .unknown: #"<path class="mark" d="M0 0l8 8M8 0l-8 8"/>"#
  case .notAttempted: #"<path class="mark" d="M4 0v8"/>"#
  }
}
