/// Durations in the forms `30s`, `15m`, `1h30m`, `2d`, `1w`, or in ISO 8601, `PT1H`.
public enum TimeSpan {
  /// Parses whole numbers with units, largest unit first, into seconds; nil for anything else.
  public static func seconds(_ text: some StringProtocol) -> Int64? {
    sum(text[...], units) ?? duration(Substring(text))
  }

  /// Parses whole numbers with a unit each, including `ms`, into at most a day of milliseconds; nil
  /// for anything else.
  public static func milliseconds(_ text: some StringProtocol) -> Int? {
    let fine = sum(text[...], units.map { ($0.name, $0.size * 1000) } + [("ms", 1)])
    let rough = fine == nil ? duration(Substring(text)) : nil
    let time = fine ?? rough.flatMap { $0 <= longest ? $0 * 1000 : nil }
    return time.flatMap { $0 <= longest ? Int($0) : nil }
  }

  /// The advice if ``milliseconds(_:)`` returns nil.
  package static let formAdvice =
    "Write a whole number with a unit, at most a day, such as \"200ms\", \"2s\" or \"15m\"."

  /// A duration in words, regardless of its sign, in one unit and rounded down: `90 seconds`, `3
  /// hours`.
  package static func text(seconds: Int64) -> String {
    let units = [("day", 86_400), ("hour", 3600), ("minute", 60)] as [(String, UInt64)]
    let (noun, length) = units.first { seconds.magnitude >= 2 * $0.1 } ?? ("second", 1)
    return counted(Int(seconds.magnitude / length), noun)
  }

  /// A duration as it is parsed, in the largest unit that gives a whole number: `1d`, `90s`.
  package static func written(seconds: Int64) -> String {
    let unit = units.first { seconds.isMultiple(of: $0.size) } ?? ("s", 1)
    return "\(seconds / unit.size)\(unit.name)"
  }

  /// A day, in milliseconds.
  private static let longest: Int64 = 86_400_000

  private static let units = [
    ("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ].map { (name: $0.0, size: Int64($0.1)) }

  /// Parses ISO 8601: `P1D`, `PT1H30M`. Years and months are excluded because their length varies.
  private static func duration(_ text: Substring) -> Int64? {
    guard text.first == "P" else { return nil }
    let parts = text.dropFirst().split(
      separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let days = parts.first, !days.isEmpty || parts.count > 1 else { return nil }
    let names = units.map { (name: $0.name.uppercased(), size: $0.size) }
    guard let start = days.isEmpty ? 0 : sum(days, Array(names[..<2])),
      let rest = parts.count == 1 ? 0 : sum(parts[1], Array(names[2...]))
    else { return nil }
    let (total, overflow) = start.addingReportingOverflow(rest)
    return overflow ? nil : total
  }

  /// Parses numbers with units, each unit at most once and in the given order, and adds them up.
  private static func sum(
    _ text: some StringProtocol, _ units: [(name: String, size: Int64)]
  ) -> Int64? {
    var (rest, units, total) = (Substring(text), units[...], Int64(0))
    repeat {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { !$0.isNumber }
      rest = rest.dropFirst(name.count)
      guard let number = Int64(digits), let unit = units.firstIndex(where: { $0.name == name })
      else { return nil }
      let (product, isTooLong) = number.multipliedReportingOverflow(by: units[unit].size)
      let (sum, isTooMuch) = total.addingReportingOverflow(product)
      if isTooLong || isTooMuch { return nil }
      (total, units) = (sum, units[(unit + 1)...])
    } while !rest.isEmpty
    return total
  }
}
