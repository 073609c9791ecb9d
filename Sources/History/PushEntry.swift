public import APNS
public import PushModel

/// A push and what became of it, as the history has it.
public struct PushEntry: Sendable, Hashable {
  /// Its run.
  public let run: RunNumber
  /// Its number in the run, from 1.
  public let sequence: UInt64
  /// Its id, the same on every attempt.
  public let apnsID: APNSID
  /// The digits of the device token, in lower case; empty when it goes to a channel.
  public let token: String
  /// The broadcast channel that it goes to; nil when it goes to a device.
  public let channel: String?
  /// The list that its recipient came from, as it was named.
  public let list: String
  /// The line in the list, from 1.
  public let line: Int
  /// What became of it.
  public let outcome: Outcome
  /// The last answer; nil when there was none.
  public let response: Response?
  /// How many requests were made for it.
  public let attempts: Int
  /// Whether it was sent again while an earlier request was in doubt.
  public let wasResentInDoubt: Bool
  /// From the last request to its answer, in microseconds; nil without an answer.
  public let latencyMicroseconds: Int?
  /// When its result came, in milliseconds since 1970 UTC.
  public let at: Int64
  /// When its app registered, as the list says it, in seconds since 1970; nil when it does not.
  public let registered: Int64?
  /// In which pass of the run the result came, from 0.
  public let pass: Int64

  /// When the answer came, in milliseconds since 1970 UTC; nil without an answer.
  public var answeredAt: Int64? { response == nil ? nil : at }

  /// A push, as a history has it.
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
