internal import APNS
internal import PushModel

/// A push that is to be sent, and what was tried already.
struct PendingPush {
  /// What the tries at a push came to so far.
  struct Trials: Equatable {
    /// How many requests were made.
    var attempts = 0
    /// How often it was sent again at once.
    var resends = 0
    /// How often it was sent again after APNs asked to come back later.
    var retries = 0
    /// How often its device token was getting too many pushes.
    var slowTries = 0
    /// Whether an earlier attempt may have been processed.
    var isInDoubt = false
    /// Whether it was sent again while that was so.
    var wasResentInDoubt = false
    /// Whether it was sent again for the sake of a new provider token.
    var wasRenewed = false
  }

  /// An answer, how long it took, and when it came.
  struct Answer {
    let response: Response
    let latencyMicroseconds: Int
    let answeredAt: Int64
  }

  /// The last answer to a push that waits for its next try. An object, for most pushes have none.
  final class LastAnswer {
    let answer: Answer

    init(_ answer: Answer) { self.answer = answer }
  }

  let push: Push
  var trials = Trials()
  var lastAnswer: LastAnswer?

  init(push: Push) { self.push = push }
}
