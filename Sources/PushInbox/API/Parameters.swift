internal import APNS
internal import PushEmulator

extension Int {
  /// Reads a number that is written as it would be printed, without a plus sign or leading zeros.
  init?(plain text: String) {
    guard let number = Int(text), String(number) == text else { return nil }
    self = number
  }
}

/// The parameters of a query. Values are taken one by one; any left over is an error.
struct Parameters {
  private var rest: [QueryItem]
  private var known: [String] = []

  /// - Throws: `HTTPRefusal` if the query is malformed or repeats a name.
  init(_ request: HTTPRequest) throws(HTTPRefusal) {
    guard let query = request.query else {
      throw Self.bad("The query has an escape that is not UTF-8.", fix: "Escape it as %XX.")
    }
    rest = query.filter { $0.name != "key" }
    let names = rest.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw Self.bad("'\(twice)' is given twice.", fix: "Give it once.")
    }
  }

  mutating func text(_ name: String) -> String? {
    known.append(name)
    guard let index = rest.firstIndex(where: { $0.name == name }) else { return nil }
    return rest.remove(at: index).value
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(HTTPRefusal) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(plain: text), range.contains(number) else {
      throw Self.bad(
        "'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound).",
        fix: "Correct the number.")
    }
    return number
  }

  mutating func milliseconds(_ name: String, atMost longest: Int) throws(HTTPRefusal) -> Int? {
    guard let text = text(name) else { return nil }
    guard let time = TimeSpan.milliseconds(text), time <= longest else {
      throw Self.bad(
        "'\(name)' must be a duration of at most \(longest / 60_000) minutes.",
        fix: "Write a number with its unit, such as 500ms, 5s or 2m.")
    }
    return time
  }

  /// The filter for pushes.
  mutating func filter() throws(HTTPRefusal) -> PushFilter {
    var filter = PushFilter()
    filter.token = text("token")
    // In a query, a plus sign turns into a blank, which base64 never contains.
    filter.channel = text("channel").map { $0.replacing(" ", with: "+") }
    filter.topic = text("topic")
    filter.pushType = text("type")
    filter.status = try integer("status", in: 100...999)
    filter.reason = try reason()
    filter.text = text("text").flatMap { $0.isEmpty ? nil : $0 }
    return filter
  }

  /// The ID after which pushes are listed.
  mutating func after() throws(HTTPRefusal) -> Int {
    try integer("after", in: 0...Parameters.greatestID) ?? 0
  }

  /// Refuses parameters that were not taken.
  func refuseOthers() throws(HTTPRefusal) {
    guard let other = rest.first else { return }
    throw Self.bad(
      "'\(other.name)' is not a known parameter here.",
      fix: known.isEmpty
        ? "Leave it out." : "Use one of: \(known.joined(separator: ", ")).")
  }

  /// The largest integer that is interoperable in JSON (RFC 8259 section 6).
  static let greatestID = 1 << 53 - 1

  private mutating func reason() throws(HTTPRefusal) -> Reason? {
    guard let text = text("reason") else { return nil }
    guard let reason = Reason(rawValue: text) else {
      throw Self.bad("'reason' is not a reason.", fix: "Use a word such as BadDeviceToken.")
    }
    return reason
  }

  private static func bad(_ message: String, fix: String) -> HTTPRefusal {
    HTTPRefusal(HTTPRefusal.badRequest, message, fix: fix)
  }
}
