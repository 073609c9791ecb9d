public import APNS
public import PushModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A push and its outcome.
public struct SendResult: Sendable {
  /// The outcome.
  public let outcome: Outcome

  /// The reason there is no answer to go by; nil when APNs decided.
  public let obstacle: Obstacle?

  /// The place of the recipient in its sequence, from 0.
  public let position: Int

  /// The ``Recipient/tag`` of the recipient.
  public internal(set) var tag: String?

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
  /// Nil also when it says no more than that the push was accepted.
  private let response: Response?
  private let latencyMicroseconds: Int?

  /// Creates the result of a list's push that the engine has finished.
  init(_ record: PushResult, _ identity: RunIdentity, _ obstacle: Obstacle?) {
    // Results that programs keep do not keep their whole chunk in memory.
    let isUsual = record.outcome == .accepted
    self.init(
      record, isUsual ? .inChunk(record.push) : .known(record.push.deviceToken), identity, obstacle)
  }

  /// Creates the result of a list's push that was accepted at its first attempt.
  init(_ accepted: AcceptedPush, of chunk: PushChunk, _ identity: RunIdentity) {
    let push = chunk.push(at: accepted.index)
    (outcome, position, attempts) = (.accepted, push.line, 1)
    (obstacle, mayArriveTwice, response) = (nil, false, nil)
    (address, id) = (.inChunk(push), push.apnsID(identity))
    latencyMicroseconds = accepted.latencyMicroseconds
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
    self.obstacle = record.response == nil ? Obstacle(record, obstacle) : nil
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

  /// Creates a result, for tests of what is done with results.
  ///
  /// - Parameters:
  ///   - outcome: the outcome.
  ///   - token: the device token.
  ///   - position: the place in the sequence.
  ///   - tag: the tag of the recipient.
  ///   - reason: the reason for the refusal.
  ///   - status: the status of the answer; nil for that of the reason.
  ///   - deadSince: the time in a 410.
  ///   - obstacle: the reason there is no answer.
  ///   - attempts: the number of requests; nil for 1, or 0 when the outcome says that there was none.
  ///   - mayArriveTwice: it was sent again while in doubt.
  ///   - apnsID: the `apns-id`, a UUID.
  ///   - uniqueID: the `apns-unique-id`.
  ///   - latency: the time from the last request to its answer.
  public init(
    _ outcome: Outcome, to token: DeviceToken? = nil, at position: Int = 0, tag: String? = nil,
    reason: Reason? = nil, status: Status? = nil, deadSince: Date? = nil,
    obstacle: Obstacle? = nil, attempts: Int? = nil, mayArriveTwice: Bool = false,
    apnsID: String? = nil, uniqueID: String? = nil, latency: Duration? = nil
  ) {
    (self.outcome, address, self.position, self.tag) = (outcome, .known(token), position, tag)
    let isUnsent = outcome == .notAttempted || outcome == .skipped
    (self.obstacle, self.attempts) = (obstacle, attempts ?? (isUnsent ? 0 : 1))
    (self.mayArriveTwice, id) = (mayArriveTwice, apnsID.flatMap { APNSID($0) })
    let status = status ?? reason?.info?.status ?? (outcome == .accepted ? .accepted : nil)
    response = status.map {
      Response(
        status: $0, uniqueID: uniqueID, reason: reason, timestamp: deadSince?.milliseconds)
    }
    latencyMicroseconds = latency?.microseconds
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
  public var status: Status? { response?.status ?? (outcome == .accepted ? .accepted : nil) }

  /// The reason for the refusal; nil when the push was accepted or not answered.
  public var reason: Reason? { response?.reason }

  /// The advice on the refusal, in one sentence; nil when there is none to give.
  public var advice: String? { reason?.info?.advice }

  /// The verdict on the device token: whether to delete it.
  public var deadToken: DeadToken { response?.deadToken ?? .no }

  /// The time at which APNs found the token dead; only with a 410. A token that the app registered
  /// later is not dead.
  public var deadSince: Date? { (response?.timestamp).map(Date.init(milliseconds:)) }

  /// The time from the last request to its answer; nil without one.
  public var latency: Duration? { latencyMicroseconds.map { Duration.microseconds($0) } }
}

extension SendResult: Hashable, CustomStringConvertible {
  /// The end of the device token, the outcome, and the reason for it.
  public var description: String {
    let target = token.map { "\($0): " } ?? ""
    let why =
      reason?.rawValue ?? obstacle?.description
      ?? (status == .accepted ? nil : status)
      .map { "HTTP \($0)" }
    return target + outcome.rawValue + (why.map { " (\($0))" } ?? "")
  }

  /// Compares all that the results tell.
  public static func == (left: SendResult, right: SendResult) -> Bool { left.form == right.form }

  /// Hashes all that the result tells.
  public func hash(into hasher: inout Hasher) { hasher.combine(form) }
}

extension Push {
  fileprivate var deviceToken: DeviceToken? {
    chunk.withToken(at: index) { try? DeviceToken(ascii: $0) }
  }
}
