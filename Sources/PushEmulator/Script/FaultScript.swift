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
    let problems = ProblemList(file: file, kind: "script")
    let object = try problems.read(text)
    self = try problems.passing(FaultScript(reading: object))
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
    let play = ScriptPlay(self)
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
