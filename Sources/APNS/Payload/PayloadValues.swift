extension PayloadKey {
  /// The values, of the right kind, that Apple defines.
  public enum Values: Sendable, Hashable {
    /// All of them.
    case any
    /// One of these words.
    case words([String])
    /// A number in this range, whole or not.
    case numbers(ClosedRange<Double>)
    /// A whole number in this range.
    case wholeNumbers(ClosedRange<Int>)
    /// The number 1: the key only switches something on.
    case one
    /// `true`: the key only switches something on.
    case yes
    /// A time in seconds since 1970. If `allowsZero` is true, 0 means "now".
    case moment(allowsZero: Bool)
    /// Bytes in base64.
    case base64
    /// The name of a sound file in the app, or `default`.
    case soundFile
    /// The name of a Swift type, without its module.
    case typeName

    /// The values in a few words, such as `0 to 1`; nil if all are valid.
    public var text: String? {
      switch self {
      case .any: nil
      case .words(let words): alternatives(words)
      case .numbers(let range): "\(shortest(range.lowerBound)) to \(shortest(range.upperBound))"
      case .wholeNumbers(let range):
        switch range.upperBound {
        case .max: "a whole number from \(range.lowerBound)"
        case range.lowerBound + 1: "\(range.lowerBound) or \(range.upperBound)"
        default: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
      case .one: "1"
      case .yes: "true"
      case .moment: "seconds since 1970"
      case .base64: "base64"
      case .soundFile: "the name of a sound file"
      case .typeName: "the name of a Swift type"
      }
    }
  }
}

private func shortest(_ number: Double) -> String {
  number.whole.map(String.init) ?? String(number)
}

extension Double {
  /// The number as an integer; nil if it has a fraction, or so many digits that it may have had
  /// one. `Int(exactly:)` would do, but needs the C library's math functions.
  var whole: Int? {
    guard magnitude < 0x1p53 else { return nil }
    let whole = Int(self)
    return Double(whole) == self ? whole : nil
  }
}
