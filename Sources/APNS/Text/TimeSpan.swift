/// A length of time as people write it: `30s`, `15m`, `1h`, `2d`, `1w`.
public enum TimeSpan {
  /// The seconds of one whole number with one unit; nil for anything else.
  public static func seconds(_ text: some StringProtocol) -> Int64? {
    guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
      let number = Int64(digits)
    else { return nil }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : seconds
  }

  /// The milliseconds of one whole number with one unit, `ms` among them, of at most a day; nil for
  /// anything else.
  public static func milliseconds(_ text: some StringProtocol) -> Int? {
    let isFine = text.hasSuffix("ms")
    let number = isFine ? seconds(text.dropLast(2) + "s") : seconds(text)
    guard let number, number <= longest else { return nil }
    let time = Int(number) * (isFine ? 1 : 1000)
    return time <= longest ? time : nil
  }

  /// A length of time as people say it, in one unit and rounded down: `90 seconds`, `3 hours`.
  static func text(seconds: Int64) -> String {
    let units = [("day", 86_400), ("hour", 3600), ("minute", 60)] as [(String, Int64)]
    let (noun, length) = units.first { seconds >= 2 * $0.1 } ?? ("second", 1)
    return counted(Int(seconds / length), noun)
  }

  /// A day, in milliseconds.
  private static let longest = 86_400_000

  private static let units: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
}
