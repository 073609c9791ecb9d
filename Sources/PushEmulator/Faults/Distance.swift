/// A simulated network distance: latency, bandwidth and stalls. It applies to each connection
/// separately, counted from its connect.
public struct Distance: Sendable, Hashable {
  /// Periods in which no byte leaves, in either direction.
  public struct Stalls: Sendable, Hashable {
    /// The milliseconds from the start of one stall to the start of the next, and from the connect
    /// to the first.
    public var everyMilliseconds: Int
    /// The length of each stall.
    public var milliseconds: Int

    /// Creates stalls; nil unless they are shorter than their interval.
    public init?(everyMilliseconds: Int, milliseconds: Int) {
      guard milliseconds > 0, everyMilliseconds > milliseconds else { return nil }
      (self.everyMilliseconds, self.milliseconds) = (everyMilliseconds, milliseconds)
    }

    /// The first time from this one on that is outside a stall, in microseconds since the connect.
    func passed(by time: Int64) -> Int64 {
      let (gap, length) = (Int64(everyMilliseconds) * 1000, Int64(milliseconds) * 1000)
      let sinceBeginning = time % gap
      return time < gap || sinceBeginning >= length ? time : time - sinceBeginning + length
    }
  }

  /// The round-trip time in milliseconds.
  public var roundTripMilliseconds: Int
  /// The bandwidth in bits per second, in each direction; nil for unlimited.
  public var bitsPerSecond: Int?
  /// The stalls; nil for none.
  public var stalls: Stalls?

  /// Creates a distance, by default none.
  public init(roundTripMilliseconds: Int = 0, bitsPerSecond: Int? = nil, stalls: Stalls? = nil) {
    self.roundTripMilliseconds = roundTripMilliseconds
    self.bitsPerSecond = bitsPerSecond
    self.stalls = stalls
  }

  /// Parses a bandwidth such as `64kbit/s`, `1Mbit/s` or `2Gbit/s`, up to 100 Gbit/s; nil for
  /// anything else.
  public static func bitsPerSecond(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["kbit/s": 1000, "Mbit/s": 1_000_000, "Gbit/s": 1_000_000_000]
    guard let unit = units[String(text.dropFirst(digits.count))], let count = Int(digits) else {
      return nil
    }
    let (bits, isTooMany) = count.multipliedReportingOverflow(by: unit)
    return !isTooMany && 1...100_000_000_000 ~= bits ? bits : nil
  }
}
