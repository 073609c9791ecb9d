internal import APNS

/// How many requests may be open on one connection now. A value: it is told what happens and knows
/// no clock and no socket.
///
/// With token authentication APNs allows one stream until a request with a valid token has been
/// answered ("Sending notification requests to APNs"), and changes its mind about the number at any
/// time.
struct Window {
  /// More open requests than this gain nothing and cost memory.
  static let cap = 1000

  /// What RFC 9113 section 6.5.2 advises as a minimum, taken until the peer says a number.
  private static let assumed = 100

  /// The most that this client wants to open.
  private(set) var limit: Int

  private var announced: Int?
  /// Whether an answer has shown that the provider token is good, and the request as such.
  private(set) var isProven = false

  init(limit: Int = cap) { self.limit = limit }

  /// Another run begins on the same connection. What the peer announced stays; the run's own
  /// requests have yet to prove good.
  mutating func beginRun(limit: Int) {
    self.limit = min(self.limit, limit)
    isProven = false
  }

  /// The peer announced how many streams it allows; nil means it has not.
  mutating func settings(_ limit: Int?) { announced = limit }

  /// An answer came. A refusal that every push would meet proves nothing: a thousand requests that
  /// fail alike are worth no more than three.
  mutating func answered(_ response: Response) {
    if !response.wouldMeetEveryPush { isProven = true }
  }

  /// How many requests may be open at once.
  var size: Int {
    let limit = min(announced ?? Self.assumed, limit)
    return isProven ? limit : min(limit, 1)
  }

  /// How many requests may be opened while this many are open.
  func room(open: Int) -> Int { max(0, size - open) }
}
