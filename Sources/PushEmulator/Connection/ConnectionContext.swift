internal import HTTP2
internal import Synchronization

/// What all connections of an emulator share.
final class ConnectionContext: Sendable {
  let tls: ServerTLS
  let journal: Journal
  /// What open connections are told to do.
  let orders = ConnectionOrders()
  let verifier: ProviderTokenVerifier
  /// The channels of all apps.
  let channels: ChannelRegistry
  /// Called once, when the emulator stops, and never cleared: it ends every wait of every thread.
  let stopSignal: Wake

  /// How many requests have arrived.
  let requests = Atomic(0)
  /// How many pushes count as delivered.
  let processed = Atomic(0)
  /// How many connections were accepted.
  let connections = Atomic(0)
  /// How many connections were over the limit.
  let refusals = Atomic(0)
  /// How many connections are open.
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

  /// How the emulator behaves now.
  var behavior: Behavior { current.withLock(\.self) }

  /// Makes it behave otherwise; connections go by that from their next requests on.
  func change(_ next: (Behavior) -> Behavior) { current.withLock { $0 = next($0) } }

  /// Whether the emulator is stopping.
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Ends all threads' work.
  func stop() {
    stopped.store(true, ordering: .releasing)
    stopSignal.call()
    orders.wakeAll()
  }
}
