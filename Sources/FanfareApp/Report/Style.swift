internal import PlainText

/// Colors, where they may be used.
struct Style {
  let hasColor: Bool

  /// A text with its parts in their colors, safe to print.
  func of(_ text: StyledText) -> String {
    text.spans.map { span in
      let text = span.text.printable
      return switch span.tone {
      case .plain: text
      case .bold: bold(text)
      case .good: good(text)
      case .doubtful: doubtful(text)
      case .bad: bad(text)
      }
    }.joined()
  }

  func bold(_ text: String) -> String { colored(text, "1") }
  func good(_ text: String) -> String { colored(text, "32") }
  func bad(_ text: String) -> String { colored(text, "31") }
  func doubtful(_ text: String) -> String { colored(text, "33") }

  private func colored(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// `1 push`, `2 pushes`, `1,000 tokens`.
func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

/// A number with a comma between thousands.
func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  var text = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + text
}

/// A number with so many decimals.
func fixed(_ number: Double, decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = Int((number * scale).rounded())
  guard decimals > 0 else { return String(scaled) }
  let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
  let zeros = String(repeating: "0", count: decimals - String(rest).count)
  return "\(scaled < 0 ? "-" : "")\(whole).\(zeros)\(rest)"
}

/// Milliseconds with as many digits as they deserve: `0.8 ms`, `12 ms`, `3,400 ms`.
func milliseconds(_ value: Double) -> String {
  value < 10 ? "\(fixed(value, decimals: 1)) ms" : "\(grouped(Int(value.rounded()))) ms"
}

/// A length of time as a clock shows it: `0:09`, `1:02:03`.
func clockText(_ seconds: Int) -> String {
  func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
  let start = hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)"
  return "\(start):\(padded(seconds % 60))"
}

extension String {
  /// The text with blanks behind it.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// The text with blanks before it.
  func padding(left width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }
}
