internal import Synchronization

/// How an emulator behaves until it is told otherwise.
final class Behavior: Sendable {
  let configuration: EmulatorConfiguration
  /// What is counted since the script, or the good day, began.
  let counters: ScriptCounters

  /// The behavior of a new emulator.
  convenience init(_ configuration: EmulatorConfiguration) {
    self.init(configuration, ScriptCounters(configuration.tokenRateLimit))
  }

  private init(_ configuration: EmulatorConfiguration, _ counters: ScriptCounters) {
    self.configuration = configuration
    self.counters = counters
  }

  /// The same by another script, whose counters begin anew.
  func playing(_ script: FaultScript) -> Behavior {
    var configuration = configuration
    configuration.answer = nil
    configuration.connectionLimit = EmulatorConfiguration().connectionLimit
    script.apply(to: &configuration)
    return Behavior(configuration)
  }

  /// The same by another clock, which answers then tell.
  func showing(_ offset: ClockOffset) -> Behavior {
    var configuration = configuration
    configuration.clockOffset = offset.seconds
    configuration.sendsDate = true
    return Behavior(configuration, counters)
  }

  /// The same with other devices.
  func knowing(_ change: (inout Devices) -> Void) -> Behavior {
    var configuration = configuration
    change(&configuration.devices)
    return Behavior(configuration, counters)
  }
}

/// What a script counts over all connections.
final class ScriptCounters: Sendable {
  /// Requests, as the script's rules count them.
  let requests = Atomic(0)
  /// Pushes by device token; nil when any number is good.
  let rates: TokenRates?

  init(_ limit: TokenRateLimit?) { rates = limit.map(TokenRates.init) }
}
