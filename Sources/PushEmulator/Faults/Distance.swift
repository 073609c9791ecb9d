/// How far away a server seems to be, and how good the line to it is. It holds for each connection by
/// itself, from the connect on.
public struct Distance: Sendable, Hashable {
  /// Spans of time in which no byte sets out, in either direction.
  public struct Stalls: Sendable, Hashable {
    /// How many milliseconds lie between the beginnings of two stalls, and between the connect and
    /// the first one.
    public var everyMilliseconds: Int
    /// How long each stall is.
    public var milliseconds: Int

    /// Stalls. They are shorter than what lies between them, or the line would never work.
    public init?(everyMilliseconds: Int, milliseconds: Int) {
      guard milliseconds > 0, everyMilliseconds > milliseconds else { return nil }
      (self.everyMilliseconds, self.milliseconds) = (everyMilliseconds, milliseconds)
    }

    /// The first moment from this one on that is in no stall, in microseconds since the connect.
    func passed(by time: Int64) -> Int64 {
      let (gap, length) = (Int64(everyMilliseconds) * 1000, Int64(milliseconds) * 1000)
      let sinceBeginning = time % gap
      return time < gap || sinceBeginning >= length ? time : time - sinceBeginning + length
    }
  }

  /// How many milliseconds bytes take to the server and back.
  public var roundTripMilliseconds: Int
  /// How many bits may pass in a second, in each direction; nil for any number.
  public var bitsPerSecond: Int?
  /// When no bytes set out; nil for never.
  public var stalls: Stalls?

  /// A distance. The default is none.
  public init(roundTripMilliseconds: Int = 0, bitsPerSecond: Int? = nil, stalls: Stalls? = nil) {
    self.roundTripMilliseconds = roundTripMilliseconds
    self.bitsPerSecond = bitsPerSecond
    self.stalls = stalls
  }

  /// The bits per second of a bandwidth as people write it: `64kbit/s`, `1Mbit/s`, `2Gbit/s`, at most
  /// a hundred of the latter; nil for anything else.
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
