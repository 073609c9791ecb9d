public import APNS
public import PushModel

/// A push and its outcome.
public struct SendResult: Sendable {
  /// The outcome.
  public let outcome: Outcome

  /// The reason it was not attempted or skipped, or its answer not waited for; nil when APNs
  /// decided, or the notification had expired.
  public let obstacle: Obstacle?

  /// The place of the recipient in its sequence, from 0.
  public let position: Int

  /// The number of requests made for it, as far as known.
  public let attempts: Int

  /// It was sent again while an earlier request was in doubt, so it may arrive twice.
  public let mayArriveTwice: Bool

  private enum Address {
    case known(DeviceToken?)
    /// Most results are not asked for their device token.
    case inChunk(Push)
  }

  private let address: Address
  private let id: APNSID?
  private let response: Response?
  private let latencyMicroseconds: Int?

  /// Creates the result of a list's push that the engine has finished.
  init(_ record: PushResult, _ identity: RunIdentity, _ obstacle: Obstacle?) {
    // Results that programs keep do not keep their whole chunk in memory.
    let isUsual = record.outcome == .accepted
    self.init(
      record, isUsual ? .inChunk(record.push) : .known(record.push.deviceToken), identity, obstacle)
  }

  /// Creates the result of a single push that the engine has finished.
  init(
    _ record: PushResult, to token: DeviceToken?, _ identity: RunIdentity, _ obstacle: Obstacle?
  ) {
    self.init(record, .known(token), identity, obstacle)
  }

  private init(
    _ record: PushResult, _ address: Address, _ identity: RunIdentity, _ obstacle: Obstacle?
  ) {
    (outcome, position, attempts) = (record.outcome, record.push.line, record.attempts)
    self.obstacle = record.outcome == .notAttempted ? obstacle : nil
    mayArriveTwice = record.wasResentInDoubt
    id = record.push.apnsID(identity)
    (response, latencyMicroseconds) = (record.response, record.latencyMicroseconds)
    self.address = address
  }

  /// Creates the result of a push that is no longer waited for.
  ///
  /// - Parameter id: nil when it was not sent.
  init(_ push: Push, id: APNSID?, _ obstacle: Obstacle) {
    self.init(
      push.deviceToken, at: push.line, id: id, id == nil ? .notAttempted : .unknown, obstacle)
  }

  /// Creates the result of a recipient that cannot be sent to.
  init(_ token: DeviceToken?, at position: Int, _ obstacle: Obstacle) {
    self.init(token, at: position, id: nil, .skipped, obstacle)
  }

  init(
    _ token: DeviceToken?, at position: Int = 0, id: APNSID?, _ outcome: Outcome,
    _ obstacle: Obstacle
  ) {
    (address, self.position, self.id, self.obstacle) = (.known(token), position, id, obstacle)
    (self.outcome, attempts, mayArriveTwice) = (outcome, id == nil ? 0 : 1, false)
    (response, latencyMicroseconds) = (nil, nil)
  }
}

extension SendResult {
  /// The device token; nil for a push to a channel, and for digits that are none.
  public var token: DeviceToken? {
    switch address {
    case .known(let token): token
    case .inChunk(let push): push.deviceToken
    }
  }

  /// The `apns-id` of every attempt; nil when there was none.
  public var apnsID: String? { attempts == 0 ? nil : id?.description }

  /// The `apns-unique-id` for Apple's Push Notifications Console; only the sandbox returns it.
  public var uniqueID: String? { response?.uniqueID }

  /// The status of the last answer; nil without one.
  public var status: Status? { response?.status }

  /// The reason for the refusal; nil when the push was accepted or not answered.
  public var reason: Reason? { response?.reason }

  /// The advice on the refusal, in one sentence; nil when there is none to give.
  public var advice: String? { reason?.info?.advice }

  /// The verdict on the device token: whether to delete it.
  public var deadToken: DeadToken { response?.deadToken ?? .no }

  /// The time at which APNs found the token dead, in milliseconds since 1970; only with a 410. A
  /// token that the app registered later is not dead.
  public var deadSince: Int64? { response?.timestamp }

  /// The time from the last request to its answer; nil without one.
  public var latency: Duration? { latencyMicroseconds.map { Duration.microseconds($0) } }
}

extension Push {
  fileprivate var deviceToken: DeviceToken? {
    chunk.withToken(at: index) { try? DeviceToken(ascii: $0) }
  }
}
