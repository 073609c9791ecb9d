package import APNS
package import HTTP2

/// How one attempt at a request about channels ended.
enum ChannelAttempt {
  /// With an answer; the reply is nil when it refuses the request, or is not what Apple documents.
  case answered(Response, ChannelReply?)
  /// Without an answer; the server certainly did nothing.
  case notProcessed(ConversationEnd)
  /// Without an answer; the server may have done what was asked.
  case inDoubt(ConversationEnd)
  /// There was no connection.
  case notDialed(DialError)

  /// Whether the connection is of no more use.
  var needsNewConnection: Bool {
    if case .answered(let response, _) = self { response.needsNewConnection } else { true }
  }

  /// Whether the provider token has to be replaced.
  var needsNewToken: Bool {
    if case .answered(let response, _) = self { response.retry == .newProviderToken } else { false }
  }
}

/// Why a request about channels was not carried out, as far as that is known.
package enum ChannelFault: Error {
  /// The answer refuses it.
  case refused(Response)
  /// The answer is not one that Apple documents: its status.
  case unreadable(Status)
  /// There was no answer, or one that tells nothing: what was asked may have been done.
  case unknown(ConversationEnd?)
  /// The server did nothing before the connection ended.
  case notProcessed(ConversationEnd)
  /// There was no connection.
  case notDialed(DialError)
}

/// What to do after each attempt at a request about channels. A value.
///
/// Creating is not repeated when it may have been done, because that would make a second channel;
/// the rest is. APNs asks for 15 minutes after a 5xx, which is too long for a prompt: the waits are
/// short, and after the last one the answer stands.
package struct ChannelTrials {
  /// What comes next.
  enum Step {
    case end(ChannelReply)
    case fail(ChannelFault)
    /// Once more, after so many milliseconds.
    case again(Int)
  }

  /// How often a request is usually sent again.
  package static let limit = 3
  /// The first wait after a connection was lost, and after an answer that asks to come back later,
  /// in milliseconds; each further one is twice as long.
  private static let waits = (lost: 200, later: 1_000)

  private let request: ChannelRequest
  private let limit: Int
  private var repeats = 0
  private var wasRenewed = false
  /// Whether an earlier attempt may have been carried out.
  private var isInDoubt = false

  /// - Parameter limit: how often the request is sent again at most.
  init(_ request: ChannelRequest, limit: Int = Self.limit) {
    (self.request, self.limit) = (request, limit)
  }

  /// The step after an attempt.
  ///
  /// - Parameters:
  ///   - renews: whether there is another provider token to use after this one.
  ///   - chance: 0 to 1, drawn at random: spreads the waits.
  mutating func step(after attempt: ChannelAttempt, renews: Bool, chance: Double) -> Step {
    switch attempt {
    case .answered(_, let reply?): return .end(reply)
    case .answered(let response, nil): return step(after: response, renews: renews, chance)
    case .notDialed(let error):
      return isInDoubt ? .fail(.unknown(nil)) : .fail(.notDialed(error))
    case .notProcessed(let end):
      return again(Self.waits.lost, chance, or: isInDoubt ? .unknown(end) : .notProcessed(end))
    case .inDoubt(let end):
      isInDoubt = true
      guard request.isSafeToRepeat else { return .fail(.unknown(end)) }
      return again(Self.waits.lost, chance, or: .unknown(end))
    }
  }

  private mutating func step(after response: Response, renews: Bool, _ chance: Double) -> Step {
    if case .delete = request, isInDoubt, response.reason == .channelNotRegistered {
      return .end(.deleted)
    }
    if 200..<300 ~= response.status.rawValue { return .fail(unreadable(response.status)) }
    switch response.retry {
    case .newProviderToken where renews && !wasRenewed:
      wasRenewed = true
      return .again(0)
    case .newConnection: return again(Self.waits.lost, chance, or: .refused(response))
    case .later where request.isSafeToRepeat, .slowToken where request.isSafeToRepeat:
      // A server that has trouble may have deleted the channel all the same.
      isInDoubt = isInDoubt || response.retry == .later
      return again(Self.waits.later, chance, or: .refused(response))
    default: return .fail(.refused(response))
    }
  }

  /// A channel that was created without an ID exists.
  private func unreadable(_ status: Status) -> ChannelFault {
    request.isSafeToRepeat ? .unreadable(status) : .unknown(nil)
  }

  private mutating func again(_ first: Int, _ chance: Double, or fault: ChannelFault) -> Step {
    guard repeats < limit else { return .fail(fault) }
    defer { repeats += 1 }
    return .again(Int(Double(first << repeats) * (0.5 + chance / 2)))
  }
}
