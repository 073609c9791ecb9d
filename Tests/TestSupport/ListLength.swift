import Foundation

/// How long the longest lists of the tests are. With `FANFARE_LONG_TESTS=1` they are as long as in
/// life; with `FANFARE_SHORT_TESTS=1` as short as slow programs need them.
package enum ListLength {
  case short
  case usual
  case long

  package static var wanted: ListLength {
    if isSet("FANFARE_LONG_TESTS") { return .long }
    return isSet("FANFARE_SHORT_TESTS") ? .short : .usual
  }

  private static func isSet(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment[name] == "1"
  }
}
