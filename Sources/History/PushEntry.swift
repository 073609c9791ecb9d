public import APNS
public import PushModel

/// A push and its outcome, as the history has them.
public struct PushEntry: Sendable, Hashable {
  /// Its run.
  public let run: RunNumber
  /// Its number in the run, from 1.
  public let sequence: UInt64
  /// The `apns-id`, the same on every attempt.
  public let apnsID: APNSID
  /// The digits of the device token, in lowercase; empty when it goes to a channel.
  public let token: String
  /// The broadcast channel it goes to; nil when it goes to a device.
  public let channel: String?
  /// The list that its recipient came from, as the user named it.
  public let list: String
  /// The line in the list, from 1.
  public let line: Int
  /// The outcome.
  public let outcome: Outcome
  /// The last answer; nil when there was none.
  public let response: Response?
  /// The number of requests made for it.
  public let attempts: Int
  /// It was sent again while an earlier request was in doubt.
  public let wasResentInDoubt: Bool
  /// The time from the last request to its answer, in microseconds; nil without an answer.
  public let latencyMicroseconds: Int?
  /// The time of its result, in milliseconds since 1970 UTC.
  public let at: Int64
  /// The app's registration time from the list, in seconds since 1970; nil when not given.
  public let registered: Int64?
  /// The pass of the run in which the result came, from 0.
  public let pass: Int64

  /// The time of the answer, in milliseconds since 1970 UTC; nil without an answer.
  public var answeredAt: Int64? { response == nil ? nil : at }

  /// Creates an entry.
  package init(
    run: RunNumber, sequence: UInt64, apnsID: APNSID, token: String, channel: String? = nil,
    list: String, line: Int, outcome: Outcome, response: Response?, attempts: Int,
    wasResentInDoubt: Bool,
    latencyMicroseconds: Int?, at: Int64, registered: Int64?, pass: Int64
  ) {
    self.run = run
    self.sequence = sequence
    self.apnsID = apnsID
    self.token = token
    self.channel = channel
    self.list = list
    self.line = line
    self.outcome = outcome
    self.response = response
    self.attempts = attempts
    self.wasResentInDoubt = wasResentInDoubt
    self.latencyMicroseconds = latencyMicroseconds
    self.at = at
    self.registered = registered
    self.pass = pass
  }
}
