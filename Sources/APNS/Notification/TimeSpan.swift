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

  private static let units: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
}
