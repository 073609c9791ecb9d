internal import APNS
internal import HTTP2

/// Which pushes a rule is for: those of which everything holds that is said. Nil says nothing, but
/// that requests to manage channels are only meant by a rule that says so with `request`.
public struct PushCondition: Sendable, Hashable {
  /// The whole device token, in lower case.
  public var token: String?
  /// How the device token begins, in lower case.
  public var tokenPrefix: String?
  /// What the request is about; nil means pushes, to devices and to channels.
  public var request: RequestKind?
  /// The whole ID of the channel that it names.
  public var channel: String?
  /// Which request since the script began it is, from 1, refused ones included.
  public var nth: Int?
  /// Each so many-th request since then.
  public var every: Int?
  /// The first of the emulator's requests that is meant.
  public var from: Int?
  /// The last of the emulator's requests that is meant.
  public var to: Int?
  /// How likely it is, from 0 to 1. Chance is a hash of the script's seed, the rule's place, the
  /// device token or channel and the attempt: the same pushes are hit again in each run.
  public var probability: Double?
  /// The how many-th push to its device token or channel it is, from 1.
  public var attempt: Int?
  /// The connection's number, from 1.
  public var connection: Int?
  /// The HTTP/2 stream.
  public var stream: Int?
  /// What `apns-topic` says.
  public var topic: String?
  /// What `apns-push-type` says.
  public var pushType: String?
  /// What `apns-priority` says.
  public var priority: String?

  /// Every push.
  public init() {}

  /// Whether the attempt has to be known.
  var countsAttempts: Bool { attempt != nil || probability != nil }

  /// Whether everything holds for a push. Chance, from 0 to 1, is made when it is needed.
  func holds(for push: IncomingPush, attempt: Int, chance: () -> Double) -> Bool {
    holdsForNumber(push.number) && holdsForPlace(push) && holdsForHeaders(push)
      && matches(self.attempt, attempt) && holdsForTarget(push)
      && (probability.map { chance() < $0 } ?? true)
  }

  private func holdsForNumber(_ number: Int) -> Bool {
    matches(nth, number) && number.isMultiple(of: max(1, every ?? 1))
      && number >= from ?? .min && number <= to ?? .max
  }

  private func holdsForPlace(_ push: IncomingPush) -> Bool {
    matches(connection, push.connection) && matches(stream, Int(push.stream))
  }

  private func holdsForHeaders(_ push: IncomingPush) -> Bool {
    (topic == nil || topic == push.headers["apns-topic"])
      && (pushType == nil || pushType == push.headers["apns-push-type"])
      && (priority == nil || priority == push.headers["apns-priority"])
  }

  private func holdsForTarget(_ push: IncomingPush) -> Bool {
    guard request.map({ $0 == push.kind }) ?? (push.kind != .channel),
      channel == nil || channel == push.channel
    else { return false }
    if token == nil, tokenPrefix == nil { return true }
    guard let hex = push.token?.hex else { return false }
    return matches(token, hex) && (tokenPrefix.map { hex.hasPrefix($0) } ?? true)
  }
}

/// Whether a value is the wanted one; any is when none is wanted.
private func matches<Value: Equatable>(_ wanted: Value?, _ value: Value) -> Bool {
  wanted.map { $0 == value } ?? true
}
