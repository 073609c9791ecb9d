internal import APNS
internal import PushEmulator
internal import WebServer

// The parameters that name pushes.
extension Parameters {
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

  mutating func milliseconds(_ name: String, atMost longest: Int) throws(HTTPRefusal) -> Int? {
    guard let text = text(name) else { return nil }
    guard let time = TimeSpan.milliseconds(text), time <= longest else {
      throw Self.bad(
        "'\(name)' must be a duration of at most \(longest / 60_000) minutes.",
        fix: "Write a number with its unit, such as 500ms, 5s or 2m.")
    }
    return time
  }

  private mutating func reason() throws(HTTPRefusal) -> Reason? {
    guard let text = text("reason") else { return nil }
    guard let reason = Reason(rawValue: text) else {
      throw Self.bad("'reason' is not a reason.", fix: "Use a word such as BadDeviceToken.")
    }
    return reason
  }
}
