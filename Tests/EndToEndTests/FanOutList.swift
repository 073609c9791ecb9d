import Foundation
import SendingSupport
import TestSupport

/// A list with everything that a list can hold, and what is to become of each line of it.
///
/// What a line is follows from its number alone, so that a list of any length can be foretold.
struct FanOutList {
  /// What is to become of a line.
  enum Fate: Hashable {
    case accepted
    case unregistered
    case badDeviceToken
    case deferred
    case skipped
    case badLine
    case duplicate
    case suppressed
  }

  /// A line that can be sent to, or would be if its row could be rendered.
  struct Row {
    var line: Int
    var fate: Fate
    var name: String
    /// What stands in `registered`; empty for nothing.
    var registered: String
  }

  /// The time that the emulator gives with a 410, in milliseconds.
  static let diedAt: Int64 = 1_700_000_000_000

  static let payload = """
    {"aps": {"alert": {"title": "Hello {{name}}!"}, "badge": "{{unread|number}}"}}
    """

  /// How many lines it has, the header aside.
  let count: Int
  /// The rows that make pushes, by device token.
  private(set) var rows: [String: Row] = [:]
  private(set) var fates: [Fate: Int] = [:]
  /// The device tokens that are not to be sent to.
  private(set) var suppressed: [String] = []
  private(set) var bytes: [UInt8] = []

  init(count: Int) {
    self.count = count
    bytes.reserveCapacity(count * 110)
    append("token,name,unread,registered\n")
    for number in 1..<count { add(number) }
    addOpenQuote()
  }

  /// The payload of an accepted push.
  static func body(name: String, token: String) -> String {
    let number = Int(token, radix: 16) ?? 0
    return #"{"aps":{"alert":{"title":"Hello \#(name)!"},"badge":\#(number % 90)}}"#
  }

  /// The tokens that are to be in `--dead-tokens`.
  var dead: Set<String> {
    Set(rows.filter { $1.fate == .unregistered && !$1.registered.hasPrefix("2026") }.keys)
  }
}

// Its lines.
extension FanOutList {
  private mutating func add(_ number: Int) {
    switch (number % 10, number % 500) {
    case (_, 3): addBadLine(number)
    case (0, _): addDuplicate(of: number - 1)
    case (7, 7), (7, 207): addUnsendable(number)
    default: addRow(number)
    }
  }

  private mutating func addRow(_ number: Int) {
    let token = tokenText(number)
    let fate = Self.fate(of: number)
    fates[fate, default: 0] += 1
    let name = number % 4 == 1 ? "Ana, the \(number)th" : "Bo\(number)"
    let registered = ["", "1600000000", "2023-01-02T03:04:05Z", "2026-01-02T03:04:05Z"][
      number / 100 % 4]
    append("\(token),\(name.contains(",") ? "\"\(name)\"" : name),\(number % 90),\(registered)\n")
    if fate == .suppressed { return suppressed.append(token) }
    rows[token] = Row(line: number + 1, fate: fate, name: name, registered: registered)
  }

  private static func fate(of number: Int) -> Fate {
    switch number % 100 {
    case 11, 61: .suppressed
    case 21: .unregistered
    case 31: .badDeviceToken
    case 41: .deferred
    default: .accepted
    }
  }

  /// The token of the line before, as other programs write it.
  private mutating func addDuplicate(of number: Int) {
    fates[.duplicate, default: 0] += 1
    let token = tokenText(number).uppercased()
    append(number % 3 == 0 ? " <\(token)> ,Other,1,\r\n" : "\(token),Other,1,\n")
  }

  /// A row without a number, with one that is none, or with too much of everything.
  private mutating func addUnsendable(_ number: Int) {
    fates[.skipped, default: 0] += 1
    let token = tokenText(number)
    let cells = ["Bo,,", "Bo,many,", String(repeating: "x", count: 4096) + ",1,"]
    append("\(token),\(cells[number % 3])\n")
    rows[token] = Row(line: number + 1, fate: .skipped, name: "", registered: "")
  }

  private mutating func addBadLine(_ number: Int) {
    fates[.badLine, default: 0] += 1
    let token = tokenText(number)
    switch number / 500 % 7 {
    case 0: append("xyz0,Bo,1,\n")
    case 1: append("0a1,Bo,1,\n")
    case 2: append(",Bo,1,\n")
    case 3: append("\(token),Bo\n")
    case 4: append("\(token),\"Bo\" and more,1,\n")
    case 5: append("\(token),Bo,1,yesterday\n")
    default: bytes += Array("\(token),".utf8) + [0xFF, 0xFE] + Array(",1,\n".utf8)
    }
  }

  /// The last line: a quote that does not end would take in all that follows.
  private mutating func addOpenQuote() {
    fates[.badLine, default: 0] += 1
    append("\(tokenText(count)),\"Bo,1,")
  }

  private mutating func append(_ text: String) { bytes += Array(text.utf8) }
}
