internal import HTTP2
internal import Synchronization

/// What all connections of an emulator share.
final class ConnectionContext: Sendable {
  let configuration: EmulatorConfiguration
  let tls: ServerTLS
  let journal: Journal
  let verifier: ProviderTokenVerifier
  /// Counts pushes by device token; nil when any number is good.
  let rates: TokenRates?

  /// Called once, when the emulator stops, and never cleared: it ends every wait of every thread.
  let stopSignal: Wake

  /// How many requests have arrived.
  let requests = Atomic(0)
  /// How many connections were accepted.
  let connections = Atomic(0)
  /// How many connections were over the limit.
  let refusals = Atomic(0)
  /// How many connections are open.
  let openConnections = Atomic(0)
  private let stopped = Atomic(false)

  init(
    _ configuration: EmulatorConfiguration, tls: ServerTLS, journal: Journal, stopSignal: Wake
  ) {
    self.configuration = configuration
    self.tls = tls
    self.journal = journal
    self.stopSignal = stopSignal
    rates = configuration.tokenRateLimit.map(TokenRates.init)
    verifier = ProviderTokenVerifier(trusting: configuration.trustedKeys)
  }

  /// Whether the emulator is stopping.
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Ends all threads' work.
  func stop() {
    stopped.store(true, ordering: .releasing)
    stopSignal.call()
  }
}
