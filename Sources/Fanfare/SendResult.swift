public import APNS
public import PushModel

/// A push and its outcome.
public struct SendResult: Sendable {
  /// The outcome.
  public let outcome: Outcome

  /// The reason it was not attempted, or its answer not waited for; nil when APNs decided.
  public let obstacle: Obstacle?

  private let id: APNSID?
  private let recipient: DeviceToken?
  private let place: Int
  private let record: PushResult?

  /// Creates the result of a push that the engine has finished.
  init(_ record: PushResult, _ identity: RunIdentity, _ obstacle: Obstacle?) {
    (self.record, recipient, outcome, place) = (record, nil, record.outcome, record.push.line)
    id = record.push.chunk.message?.apnsID ?? identity.apnsID(of: record.push)
    self.obstacle = record.outcome == .notAttempted ? obstacle : nil
  }

  /// Creates the result of a push that is no longer waited for.
  ///
  /// - Parameter id: nil when it was not sent.
  init(_ token: DeviceToken?, at place: Int = 0, id: APNSID?, _ obstacle: Obstacle) {
    (recipient, record, self.id, self.obstacle) = (token, nil, id, obstacle)
    self.place = place
    outcome = id == nil ? .notAttempted : .unknown
  }
}

extension SendResult {
  /// The device token; nil for a push to a channel.
  public var token: DeviceToken? {
    recipient ?? record.flatMap { try? DeviceToken($0.push.token) }
  }

  /// The place of the recipient in its sequence, from 0.
  public var position: Int { place }

  /// The `apns-id` of every attempt; nil when there was none.
  public var apnsID: String? { outcome == .notAttempted ? nil : id?.description }

  /// The `apns-unique-id` for Apple's Push Notifications Console; only the sandbox returns it.
  public var uniqueID: String? { record?.response?.uniqueID }

  /// The status of the last answer; nil without one.
  public var status: Status? { record?.response?.status }

  /// The reason for the refusal; nil when the push was accepted or not answered.
  public var reason: Reason? { record?.response?.reason }

  /// The advice on the refusal, in one sentence; nil when there is none to give.
  public var advice: String? { reason?.causes.first?.fix }

  /// The verdict on the device token: whether to delete it.
  public var deadToken: DeadToken { record?.response?.deadToken ?? .no }

  /// The time at which APNs found the token dead, in milliseconds since 1970; only with a 410. A
  /// token that the app registered later is not dead.
  public var deadSince: Int64? { record?.response?.timestamp }

  /// The number of requests made for it, as far as known.
  public var attempts: Int { record?.attempts ?? (id == nil ? 0 : 1) }

  /// It was sent again while an earlier request was in doubt, so it may arrive twice.
  public var mayArriveTwice: Bool { record?.wasResentInDoubt ?? false }

  /// The time from the last request to its answer; nil without one.
  public var latency: Duration? { record?.latencyMicroseconds.map { Duration.microseconds($0) } }
}
