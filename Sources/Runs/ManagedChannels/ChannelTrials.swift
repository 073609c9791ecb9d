package import APNS
internal import Credentials
package import HTTP2

extension ChannelAttempt {
  /// The connection can no longer be used.
  var needsNewConnection: Bool {
    if case .answered(let response, _) = self { response.needsNewConnection } else { true }
  }

  /// The provider token must be replaced.
  var needsNewToken: Bool {
    if case .answered(let response, _) = self { response.retry == .newProviderToken } else { false }
  }
}

/// The reason a channel request failed, as far as it is known.
package enum ChannelRequestFault: Error {
  /// The response is a refusal.
  case refused(Response)
  /// The response is not one that Apple documents; its status.
  case unreadable(Status)
  /// No response, or one without information: the request may have been processed.
  case unknown(ConversationEnd?)
  /// The server did nothing before the connection ended.
  case notProcessed(ConversationEnd)
  /// No connection.
  case notDialed(DialError)
}

/// The retry policy for channel requests, as a value.
///
/// Creating is not retried when it may have succeeded, because that would create a second channel;
/// everything else is. APNs asks for 15 minutes after a 5xx, too long at a prompt, so the waits are
/// short, and the response after the last one is final.
package struct ChannelTrials {
  /// The next step.
  enum Step {
    case end(ChannelReply)
    case fail(ChannelRequestFault)
    /// Retry after a number of milliseconds.
    case again(Int)
  }

  /// The default number of retries.
  package static let limit = 3
  /// The first wait after a lost connection, and after a response that asks to retry later, in
  /// milliseconds; it doubles each time.
  private static let waits = (lost: 200, later: 1_000)

  private let request: ChannelRequest
  private let limit: Int
  private var repeats = 0
  private var wasRenewed = false
  /// An earlier attempt may have succeeded.
  private var isInDoubt = false

  /// - Parameter limit: the maximum number of retries.
  init(_ request: ChannelRequest, limit: Int = Self.limit) {
    (self.request, self.limit) = (request, limit)
  }

  /// The step after an attempt.
  ///
  /// - Parameters:
  ///   - renews: whether the provider token can be replaced with a new one.
  ///   - chance: a random number from 0 to 1 that varies the waits.
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
      // A server in trouble may have deleted the channel all the same.
      isInDoubt = isInDoubt || response.retry == .later
      return again(Self.waits.later, chance, or: .refused(response))
    default: return .fail(.refused(response))
    }
  }

  /// After a response without an ID, a new channel may exist.
  private func unreadable(_ status: Status) -> ChannelRequestFault {
    request.isSafeToRepeat ? .unreadable(status) : .unknown(nil)
  }

  private mutating func again(_ first: Int, _ chance: Double, or fault: ChannelRequestFault) -> Step
  {
    guard repeats < limit else { return .fail(fault) }
    defer { repeats += 1 }
    return .again(Int(Double(first << repeats) * (0.5 + chance / 2)))
  }
}
