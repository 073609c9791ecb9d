internal import APNS
internal import Delivery
internal import PushModel

/// The reason a push was not attempted, or skipped, or has no answer.
public struct Obstacle: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The kind of a reason.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The digits are not a device token.
    case badToken
    /// The payload that a template makes for the recipient breaks a rule, or the notification is
    /// for a channel and not for devices, or the other way round.
    case brokenRules
    /// The task that waited for the push was cancelled, or its list was.
    case cancelled
    /// The client is closed.
    case closed
    /// No connection could be opened, or none stayed open.
    case connection
    /// No provider token could be signed, or APNs refuses the credentials.
    case credentials
    /// The deadline of the push has passed.
    case deadline
    /// The notification expired before it could be sent.
    case expired
    /// It was sent, and no answer came.
    case noAnswer
    /// It was sent again and again, and the server refused to process it.
    case notProcessed
    /// The server asked to send nothing for a while, with a `Retry-After`. Lists wait.
    case pause
    /// APNs refused push after push, and would refuse this one too.
    case refusals
    /// The process has no threads or file descriptors left.
    case system
  }

  /// The kind.
  public let kind: Kind

  /// The reason in one sentence.
  public let description: String

  /// Creates a reason, for tests of what is done with results.
  public init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }

  static let cancelled = Obstacle(.cancelled, "The task was cancelled.")
  static let deadline = Obstacle(.deadline, "The deadline has passed.")
  static let expired = Obstacle(
    .expired, "The notification expired before it could be sent.")
  static let closed = Obstacle(.closed, "The client is closed.")
  static let paused = Obstacle(
    .pause, "The server asked to send nothing for a while. Send it again later.")
  static let isForChannel = Obstacle(
    .brokenRules, "The notification is for a channel. Send it with broadcast(_:).")
  static let isForDevices = Obstacle(
    .brokenRules, "The notification is for devices. Send it with send(_:to:).")
  static let system = Obstacle(.system, "No threads or file descriptors are left.")
}

extension Obstacle {
  /// Creates the reason a recipient cannot be sent to.
  init(recipient error: any Error) {
    self.init(error is BrokenRules ? .brokenRules : .badToken, "\(error)")
  }

  init(_ cause: StopCause) {
    let kind: Kind
    switch cause {
    case .interrupted, .stopped, .list, .history:
      self = .closed
      return
    case .outOfDescriptors, .outOfThreads:
      self = .system
      return
    case .connecting, .connectionLost: kind = .connection
    case .goodbye, .signing: kind = .credentials
    case .breaker(let response):
      kind = response.status == .ofRefusedCredentials ? .credentials : .refusals
    }
    let words = [cause.sentence, cause.advice].compactMap(\.self)
    self.init(kind, words.joined(separator: " "))
  }
}

extension Obstacle {
  /// Creates the reason a push ended without an answer; nil for one that was accepted or refused.
  ///
  /// - Parameter cause: the reason that pushes end, if they do.
  init?(_ record: PushResult, _ cause: Obstacle?) {
    switch record.outcome {
    case .accepted, .rejected: return nil
    case .skipped: self = .expired
    case .deferred:
      self.init(
        .notProcessed, "The server refused to process it, \(Self.attempts(record)) in a row.")
    case .unknown:
      let end = cause.map { " \($0)" } ?? ""
      self.init(.noAnswer, "No answer came to \(Self.attempts(record)).\(end)")
    case .notAttempted:
      let cause = cause ?? .cancelled
      if record.attempts == 0 { self = cause } else { self = cause.after(record) }
    }
  }

  /// The same reason, for a push that was sent and certainly not processed.
  private func after(_ record: PushResult) -> Obstacle {
    let fate = record.attempts == 1 ? "was not" : "were not"
    return Obstacle(kind, "\(description) \(Self.attempts(record)) before that \(fate) processed.")
  }

  private static func attempts(_ record: PushResult) -> String {
    record.attempts == 1 ? "1 attempt" : "\(record.attempts) attempts"
  }
}

extension Response {
  /// The answer, its meaning and what to do, as the end of a sentence.
  var inWords: String { reason?.inWords ?? "HTTP \(status)." }
}

extension Reason {
  /// Its name, meaning and advice, as the end of a sentence.
  var inWords: String {
    ([rawValue + "."] + (info.map { [$0.meaning, $0.advice] } ?? [])).joined(separator: " ")
  }
}
