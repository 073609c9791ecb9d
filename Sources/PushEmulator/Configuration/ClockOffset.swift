internal import APNS

/// The difference of a clock, such as `+2h` or `-90m`, at most ten years.
public struct ClockOffset: Sendable, Hashable {
  private static let longest: Int64 = 3650 * 86_400

  /// The offset in seconds; negative if the clock is behind.
  public let seconds: Int

  /// Reads a sign and a duration; nil for anything else. Zero, `0s`, needs no sign.
  public init?(_ text: String) {
    let sign = text.first == "-" || text.first == "+" ? text.first : nil
    guard let span = TimeSpan.seconds(sign == nil ? text[...] : text.dropFirst()),
      span <= Self.longest, sign != nil || span == 0
    else { return nil }
    seconds = Int(sign == "-" ? -span : span)
  }
}
