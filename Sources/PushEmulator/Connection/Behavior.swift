internal import Synchronization

/// The emulator's current behavior, replaced as a whole when it changes.
final class Behavior: Sendable {
  let configuration: EmulatorConfiguration
  /// The counters since the current script, or else the emulator, started.
  let counters: ScriptCounters

  /// Creates the behavior of a new emulator.
  convenience init(_ configuration: EmulatorConfiguration) {
    self.init(configuration, ScriptCounters(configuration.tokenRateLimit))
  }

  private init(_ configuration: EmulatorConfiguration, _ counters: ScriptCounters) {
    self.configuration = configuration
    self.counters = counters
  }

  /// The same with another script and fresh counters.
  func playing(_ script: FaultScript) -> Behavior {
    var configuration = configuration
    configuration.answer = nil
    configuration.connectionLimit = EmulatorConfiguration().connectionLimit
    script.apply(to: &configuration)
    return Behavior(configuration)
  }

  /// The same with another clock, which answers then report.
  func showing(_ offset: ClockOffset) -> Behavior {
    var configuration = configuration
    configuration.clockOffset = offset.seconds
    configuration.sendsDate = true
    return Behavior(configuration, counters)
  }

  /// The same with other devices.
  func knowing(_ change: (inout EmulatedDevices) -> Void) -> Behavior {
    var configuration = configuration
    change(&configuration.devices)
    return Behavior(configuration, counters)
  }
}

/// The counters of a script, over all connections.
final class ScriptCounters: Sendable {
  /// The number of requests, as counted by the script's rules.
  let requests = Atomic(0)
  /// The rates by device token; nil if unlimited.
  let rates: TokenRates?

  init(_ limit: TokenRateLimit?) { rates = limit.map(TokenRates.init) }
}
