internal import APNS

/// The number of requests that may be open on one connection now. A value that is given events.
///
/// With token authentication APNs allows one stream until it has answered a request with a valid
/// token ("Sending notification requests to APNs"), and may change the limit at any time.
struct Window {
  /// More open requests than this gain nothing and cost memory.
  static let cap = 1000

  /// The minimum that RFC 9113 section 6.5.2 advises, assumed until the peer announces a limit.
  private static let assumed = 100

  /// The most requests that this client wants open.
  private(set) var limit: Int

  /// The most requests that may be open before the first answer.
  private static let mostProbes = 4

  private var announced: Int?
  /// The number of requests that may be open before the first answer.
  private var probes = 1
  /// An answer has shown that the provider token and the request as such are good.
  private(set) var isProven = false

  init(limit: Int = cap) { self.limit = limit }

  /// Begins another run on the same connection. The announced limit stays; the run's own requests
  /// have yet to prove good.
  mutating func beginRun(limit: Int) {
    self.limit = min(self.limit, limit)
    (isProven, probes) = (false, 1)
  }

  /// Takes the number of streams that the peer announced; nil when it announced none.
  mutating func settings(_ limit: Int?) { announced = limit }

  /// Lets one more request out before the first answer, since those that are open get none. The peer
  /// must have announced room for it.
  mutating func addProbe() {
    if probes < min(announced ?? 1, Self.mostProbes) { probes += 1 }
  }

  /// Takes an answer into account. A refusal that every push would get proves nothing: a thousand
  /// requests that fail alike are worth no more than three.
  mutating func answered(_ response: Response) {
    if !response.wouldMeetEveryPush { accepted() }
  }

  /// Takes the answer to an accepted push into account.
  mutating func accepted() { isProven = true }

  /// The number of requests that may be open at once.
  var size: Int {
    let limit = min(announced ?? Self.assumed, limit)
    return isProven ? limit : min(limit, probes)
  }

  /// The number of requests that may still be opened while this many are open.
  func room(open: Int) -> Int { max(0, size - open) }
}
