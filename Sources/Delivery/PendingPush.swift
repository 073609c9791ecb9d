internal import APNS
internal import PushModel

/// A push to be sent, and its attempts so far.
struct PendingPush {
  /// The history of attempts at a push.
  struct Trials: Equatable {
    /// The number of requests made.
    var attempts = 0
    /// The number of immediate resends.
    var resends = 0
    /// The number of resends after APNs asked to come back later.
    var retries = 0
    /// The number of times that its device token was getting too many pushes.
    var slowTries = 0
    /// An earlier attempt may have been processed.
    var isInDoubt = false
    /// It was sent again while in doubt.
    var wasResentInDoubt = false
    /// It was sent again to use a new provider token.
    var wasRenewed = false
  }

  /// An answer, its latency and its arrival time.
  struct Answer {
    let response: Response
    let latencyMicroseconds: Int
    let answeredAt: Int64
  }

  /// The last answer to a push that waits for its next attempt. A class, since most have none.
  final class LastAnswer {
    let answer: Answer

    init(_ answer: Answer) { self.answer = answer }
  }

  let push: Push
  var trials = Trials()
  var lastAnswer: LastAnswer?

  init(push: Push) { self.push = push }
}
