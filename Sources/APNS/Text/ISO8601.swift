/// The subset of ISO 8601 that people write by hand.
public enum ISO8601 {
  /// Parses a date, `2026-11-21` (midnight UTC), or a date and time with an offset,
  /// `2026-11-21T10:00:00Z` or `…T10:00:00.5+01:00`, into whole seconds since 1970; nil otherwise.
  ///
  /// A time without an offset is rejected because it would differ between machines.
  public static func seconds(_ text: some StringProtocol) -> Int64? {
    guard let written = written(text), let offset = written.offset else { return nil }
    return written.seconds - offset
  }

  /// Parses a date, or a date and time, the offset optional; nil for other text. `T` may be a
  /// space.
  public static func written(_ text: some StringProtocol) -> Written? { try? read(text) }

  /// The reason a text that begins like a date is not a time; nil for a time, and for other text.
  package static func fault(in text: some StringProtocol) -> TimeFault? {
    do throws(TimeFault) {
      _ = try read(text)
      return nil
    } catch {
      return error == .form ? nil : error
    }
  }

  /// The same as ``written(_:)``.
  ///
  /// - Throws: what is wrong with other text.
  package static func read(_ text: some StringProtocol) throws(TimeFault) -> Written {
    var scanner = Scanner(text)
    let days = try scanner.days()
    if scanner.isAtEnd { return Written(seconds: days * 86_400, offset: 0, isDate: true) }
    guard scanner.skip("T") || scanner.skip(" ") else { throw .rest }
    let seconds = try days * 86_400 + scanner.timeOfDay()
    if scanner.isAtEnd { return Written(seconds: seconds, offset: nil, isDate: false) }
    _ = scanner.skip(" ")
    let offset = try scanner.offset()
    guard scanner.isAtEnd else { throw .rest }
    return Written(seconds: seconds, offset: offset, isDate: false)
  }

  /// A time as written.
  public struct Written: Sendable, Hashable {
    /// The seconds since 1970, as if the time were in UTC.
    public let seconds: Int64
    /// The seconds east of UTC; nil for local time, if none are given.
    public let offset: Int64?
    /// True for a date alone, which begins at midnight UTC.
    public let isDate: Bool

    /// Creates a time as written.
    public init(seconds: Int64, offset: Int64?, isDate: Bool) {
      (self.seconds, self.offset, self.isDate) = (seconds, offset, isDate)
    }
  }

  /// A time in UTC, to the second: `2026-11-21T10:00:00Z`.
  ///
  /// - Parameter seconds: since 1970 UTC, from year 0 to 9999; clamped to that range.
  public static func text(seconds: Int64) -> String {
    let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let day = (Double(seconds) / 86_400).rounded(.down)
    let date = date(daysSinceEpoch: Int64(day))
    let time = seconds - Int64(day) * 86_400
    let digits = [date.month, date.day, time / 3600, time / 60 % 60, time % 60].map(twoDigits)
    let year = String(repeating: "0", count: 4 - "\(date.year)".count) + "\(date.year)"
    return "\(year)-\(digits[0])-\(digits[1])T\(digits[2]):\(digits[3]):\(digits[4])Z"
  }

  /// A time in UTC, to the millisecond: `2026-11-21T10:00:00.123Z`.
  ///
  /// - Parameter milliseconds: since 1970 UTC; years as in ``text(seconds:)``.
  public static func text(milliseconds: Int64) -> String {
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let seconds = rest < 0 ? whole - 1 : whole
    let decimals = "\((rest + 1000) % 1000)"
    let zeros = String(repeating: "0", count: 3 - decimals.count)
    return text(seconds: seconds).dropLast() + ".\(zeros)\(decimals)Z"
  }
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

private struct Scanner {
  private var rest: Substring

  init(_ text: some StringProtocol) { rest = Substring(text) }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads two digits, or four.
  private mutating func part(
    _ name: String, _ count: Int = 2, in range: ClosedRange<Int64>, else fault: TimeFault = .rest
  ) throws(TimeFault) -> Int64 {
    let text = rest.prefix(count)
    guard text.utf8.count == count, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
      let number = Int64(text)
    else { throw fault }
    if !range.contains(number) { throw .part(name, number, range) }
    rest.removeFirst(count)
    return number
  }

  private mutating func require(
    _ character: Character, else fault: TimeFault
  ) throws(TimeFault) {
    if !skip(character) { throw fault }
  }

  /// Reads a date as days since 1970-01-01.
  mutating func days() throws(TimeFault) -> Int64 {
    if rest.prefix(5).last != "-" { throw .form }
    let year = try part("year", 4, in: 1970...9999, else: .form)
    try require("-", else: .form)
    let month = try part("month", in: 1...12, else: .form)
    try require("-", else: .form)
    let day = try part("day", in: 1...daysInMonth(month, of: year), else: .form)
    return daysSinceEpoch(year: year, month: month, day: day)
  }

  /// Reads a time as seconds since midnight; seconds are optional, and their decimals are ignored.
  mutating func timeOfDay() throws(TimeFault) -> Int64 {
    let hour = try part("hour", in: 0...23)
    try require(":", else: .rest)
    let minute = try part("minute", in: 0...59)
    guard skip(":") else { return hour * 3600 + minute * 60 }
    let second = try part("second", in: 0...59)
    if !skipDecimals() { throw .rest }
    return hour * 3600 + minute * 60 + second
  }

  /// - Returns: false for a decimal point without digits.
  private mutating func skipDecimals() -> Bool {
    guard skip(".") || skip(",") else { return true }
    let decimals = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(decimals.count)
    return !decimals.isEmpty
  }

  /// Reads the seconds east of UTC: `Z`, `+01:00`, `+0100` or `+01`.
  mutating func offset() throws(TimeFault) -> Int64 {
    if skip("Z") { return 0 }
    let sign: Int64 = rest.first == "-" ? -1 : 1
    guard skip("+") || skip("-") else { throw .rest }
    let hours = try part("offset's hour", in: 0...23)
    if !skip(":"), isAtEnd { return sign * hours * 3600 }
    return sign * (hours * 3600 + (try part("offset's minute", in: 0...59)) * 60)
  }
}

/// The reason a text is not a time in ISO 8601.
public enum TimeFault: Error, Sendable, Hashable {
  /// It does not begin with a date such as `2026-11-21`.
  case form
  /// A part has a number outside of its range.
  case part(String, Int64, ClosedRange<Int64>)
  /// What follows the date, or the time, is neither a time nor an offset.
  case rest
  /// It has no offset from UTC, and would differ between machines.
  case noOffset

  /// The fault, without a full stop.
  package var clause: String {
    switch self {
    case .form: "it is neither epoch seconds nor ISO 8601"
    case .part(let name, let number, let range):
      "its \(name) is \(number), not \(range.lowerBound) to \(range.upperBound)"
    case .rest: "what follows its date is not a time such as 10:00:00Z or 10:00+01"
    case .noOffset: "it has no offset from UTC, such as Z or +01:00"
    }
  }
}

private func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
  let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  return switch month {
  case 2: isLeap ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

// Years start in March, so that the leap day comes last and the months follow one formula; and 400
// years are added, after which the calendar repeats, so that no year is negative.
private func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
  let marchYear = (month > 2 ? year : year - 1) + 400
  let monthsSinceMarch = (month + 9) % 12
  let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
  return marchYear * 365 + leapDays + (153 * monthsSinceMarch + 2) / 5 + day - 865_566
}

// The inverse, by search: the estimate from the average length of a year is off by at most one.
private func date(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  func start(_ year: Int64, _ month: Int64 = 1) -> Int64 {
    daysSinceEpoch(year: year, month: month, day: 1)
  }
  let guess = Int64((Double(days) / 365.2425).rounded(.down)) + 1970
  let year = [guess + 1, guess].first { start($0) <= days } ?? guess - 1
  let month = (1...12).last { start(year, $0) <= days } ?? 1
  return (year, month, days - start(year, month) + 1)
}
