public import APNS
public import HTTP2

/// A script of faults: the emulator's action on each push, and the behavior of its connections.
public struct FaultScript: Sendable, Hashable {
  /// The seed of random decisions.
  public var seed: UInt64 = 0

  /// The rules for pushes. The first matching rule decides; a push that matches none is accepted.
  public var rules: [FaultRule] = []

  /// The changes to each connection's limits.
  public var settings: [SettingsChange] = []

  /// The number of errors a connection tolerates; nil for any number.
  public var errorBudget: ErrorBudget?

  /// The number of pushes per device token allowed in a period; nil for any number.
  public var tokenRateLimit: TokenRateLimit?

  /// The number of connections that may be open; nil leaves it unchanged.
  public var connectionLimit: Int?

  /// The simulated network distance; nil leaves it unchanged.
  public var distance: Distance?

  /// The HTTP/2 deviations of connections.
  public var serverOptions = ServerSessionOptions()

  /// Creates a script without faults.
  public init() {}

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - text: JSON5; docs/emulator.md has the grammar.
  ///   - file: the script's file, as the user named it.
  /// - Throws: `BrokenRules` with all problems found, each with line and column.
  public init(_ text: [UInt8], file: String) throws(BrokenRules) {
    self = try ProblemList(file: file, kind: "script").read(
      text, as: ScriptShape.file, FaultScript.init(reading:))
  }

  /// Configures an emulator. Each call restarts the script's counts.
  public func apply(to configuration: inout EmulatorConfiguration) {
    configuration.settings = settings
    configuration.errorBudget = errorBudget
    configuration.tokenRateLimit = tokenRateLimit
    configuration.serverOptions = serverOptions
    configuration.scriptedDistance = distance
    if let connectionLimit { configuration.connectionLimit = connectionLimit }
    if rules.isEmpty { return }
    let play = SharedScriptMatcher(self)
    configuration.answer = { play.answer($0) }
  }
}

/// A rule for some pushes.
public struct FaultRule: Sendable, Hashable {
  /// The condition a push must meet.
  public var condition: PushCondition
  /// The emulator's response to such a push.
  public var answer: EmulatorAnswer
  /// The number of pushes the rule applies to before it stops matching; nil for no limit.
  public var times: Int?

  /// Creates a rule.
  public init(_ condition: PushCondition, _ answer: EmulatorAnswer, times: Int? = nil) {
    self.condition = condition
    self.answer = answer
    self.times = times
  }
}

/// A condition for pushes. All parts that are set must match; nil matches anything, except that
/// requests to manage channels match only if `request` says so.
public struct PushCondition: Sendable, Hashable {
  /// The whole device token, in lowercase.
  public var token: String?
  /// The start of the device token, in lowercase.
  public var tokenPrefix: String?
  /// The kind of request; nil means pushes, to devices and to channels.
  public var request: RequestKind?
  /// The whole ID of the channel it names.
  public var channel: String?
  /// The number of the request since the script began, from 1, counting refused ones.
  public var nth: Int?
  /// The interval between matching requests, counted in the same way.
  public var every: Int?
  /// The first matching request.
  public var from: Int?
  /// The last matching request.
  public var to: Int?
  /// The probability, from 0 to 1. Chance is a hash of the script's seed, the rule's position, the
  /// device token or channel and the attempt, so every run hits the same pushes.
  public var probability: Double?
  /// The number of the push to its device token or channel, from 1.
  public var attempt: Int?
  /// The connection's number, from 1.
  public var connection: Int?
  /// The HTTP/2 stream.
  public var stream: Int?
  /// The value of `apns-topic`.
  public var topic: String?
  /// The value of `apns-push-type`.
  public var pushType: String?
  /// The value of `apns-priority`.
  public var priority: String?

  /// Creates a condition that matches every push.
  public init() {}

  /// The condition depends on the attempt.
  var countsAttempts: Bool { attempt != nil || probability != nil }

  /// Returns true if all parts match. `chance`, from 0 to 1, is computed only if needed.
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

/// Returns true if the value is the wanted one, or none is wanted.
private func matches<Value: Equatable>(_ wanted: Value?, _ value: Value) -> Bool {
  wanted.map { $0 == value } ?? true
}
