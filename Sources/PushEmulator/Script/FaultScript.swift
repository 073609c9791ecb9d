public import APNS
public import HTTP2

/// A bad day for clients: what the emulator does to which push, and how its connections behave.
public struct FaultScript: Sendable, Hashable {
  /// What chance depends on, beside the push.
  public var seed: UInt64 = 0

  /// What becomes of which push. The first rule that fits decides; a push that none fits is
  /// accepted.
  public var rules: [FaultRule] = []

  /// Changes of the limits of each connection.
  public var settings: [SettingsChange] = []

  /// How many errors a connection bears; nil for any number.
  public var errorBudget: ErrorBudget?

  /// How many pushes a device token is good for in a span of time; nil for any number.
  public var tokenRateLimit: TokenRateLimit?

  /// How many connections may be open; nil leaves it as it is.
  public var connectionLimit: Int?

  /// How far away the emulator seems to be; nil leaves it as it is.
  public var distance: Distance?

  /// What the connections do otherwise in HTTP/2.
  public var serverOptions = ServerSessionOptions()

  /// A good day.
  public init() {}

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - text: JSON5; docs/emulator.md has the grammar.
  ///   - file: the script's file, as the user named it.
  /// - Throws: `BrokenRules` with everything that is wrong with it, each with line and column.
  public init(_ text: [UInt8], file: String) throws(BrokenRules) {
    let problems = ProblemList(file: file, kind: "script")
    let object = try problems.read(text)
    self = try problems.passing(FaultScript(reading: object))
  }

  /// Sets an emulator up. Its count of pushes begins anew with each call.
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

/// What becomes of some pushes.
public struct FaultRule: Sendable, Hashable {
  /// Which pushes it is for.
  public var condition: PushCondition
  /// What becomes of them.
  public var answer: EmulatorAnswer
  /// For how many of them; then the rule fits none. Nil for all of them.
  public var times: Int?

  /// A rule.
  public init(_ condition: PushCondition, _ answer: EmulatorAnswer, times: Int? = nil) {
    self.condition = condition
    self.answer = answer
    self.times = times
  }
}
