internal import HTTP2
internal import Synchronization

/// The state that all connections of an emulator share.
final class ConnectionContext: Sendable {
  let tls: ServerTLS
  let journal: Journal
  /// The orders for open connections.
  let orders = ConnectionOrders()
  /// The connections whose TLS handshake is under way.
  let handshakes = Handshakes()
  let verifier: ProviderTokenVerifier
  /// The channels of all apps.
  let channels: ChannelRegistry
  /// The signal that the emulator stops. It is never cleared and ends every wait of every thread.
  let stopSignal: Wake

  /// The number of requests that have arrived.
  let requests = Atomic(0)
  /// The number of pushes that count as delivered.
  let processed = Atomic(0)
  /// The number of connections accepted.
  let connections = Atomic(0)
  /// The number of connections refused because of the limit.
  let refusals = Atomic(0)
  /// The number of open connections.
  let openConnections = Atomic(0)
  private let stopped = Atomic(false)
  private let current: Mutex<Behavior>

  init(
    _ configuration: EmulatorConfiguration, tls: ServerTLS, journal: Journal, stopSignal: Wake
  ) {
    current = Mutex(Behavior(configuration))
    self.tls = tls
    self.journal = journal
    self.stopSignal = stopSignal
    channels = ChannelRegistry(limit: configuration.channelLimit)
    verifier = ProviderTokenVerifier(trusting: configuration.trustedKeys)
  }

  /// The emulator's current behavior.
  var behavior: Behavior { current.withLock(\.self) }

  /// Changes the behavior; connections adopt it with their next requests.
  func change(_ next: (Behavior) -> Behavior) { current.withLock { $0 = next($0) } }

  /// The emulator is stopping.
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Ends the work of all threads.
  func stop() {
    stopped.store(true, ordering: .releasing)
    stopSignal.call()
    handshakes.wakeAll()
    orders.wakeAll()
  }
}

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
