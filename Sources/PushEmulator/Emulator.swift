internal import HTTP2
internal import Synchronization

/// A strict APNs, on 127.0.0.1 unless an address is named, for tests, demonstrations and trying
/// things out.
///
/// It takes pushes to devices and to broadcast channels, and requests to manage those, and judges
/// them as APNs does, from the one-stream start to the reason strings. It listens from `init` to
/// `stop()`, on threads of its own.
public final class Emulator: Sendable {
  /// The port it listens on.
  public let port: UInt16

  /// The port of its second listener; nil without one.
  public let managePort: UInt16?

  /// `https://127.0.0.1:PORT`, or with the address that it listens on.
  public let url: String

  /// The same for the second listener; nil without one.
  public let manageURL: String?

  /// The certificate of its throw-away authority in PEM: what a client has to trust. Keys stay in
  /// memory and are forgotten with the emulator.
  public let certificateAuthorityPEM: String

  private let context: ConnectionContext
  private let threads: ThreadGroup

  /// Starts an emulator; it listens when this returns.
  ///
  /// - Throws: `EmulatorError` when the port or the journal cannot be had, or no certificate be
  ///   made.
  public init(_ configuration: EmulatorConfiguration = .init()) throws(EmulatorError) {
    guard let stopSignal = Wake(), let ended = Wake() else { throw .outOfDescriptors }
    threads = ThreadGroup(ended: ended)
    let (tls, pem) = try Self.identity(configuration)
    certificateAuthorityPEM = pem
    let listener = try Self.listener(configuration, configuration.port)
    let second = try Self.secondListener(configuration)
    (port, managePort) = (listener.port, second?.port)
    let host = "https://\(configuration.reachableHost):"
    (url, manageURL) = (host + "\(listener.port)", second.map { host + "\($0.port)" })
    context = ConnectionContext(
      configuration, tls: tls, journal: try Self.journal(configuration),
      stopSignal: stopSignal)
    let reception = PushService(context: context, threads: threads)
    for listener in [listener, second].compactMap(\.self) {
      try accept(on: listener, take: reception.take)
    }
  }

  deinit { stop() }

  /// How many requests have arrived, refused ones included.
  public var requestCount: Int { context.requests.load(ordering: .relaxed) }

  /// How many pushes count as delivered: answered with 200, or processed as a script has it.
  public var processedCount: Int { context.processed.load(ordering: .relaxed) }

  /// How many connections were accepted, over the limit ones not included.
  public var connectionCount: Int { context.connections.load(ordering: .relaxed) }

  /// How many connections were reset because as many as may be were open.
  public var refusedConnectionCount: Int { context.refusals.load(ordering: .relaxed) }

  /// How many connections are open now.
  public var openConnectionCount: Int { context.openConnections.load(ordering: .relaxed) }

  /// The `errno` of the first write to the journal that failed; nil when none did.
  public var journalFailure: Int32? { context.journal.failure }

  /// The last requests; nil unless the configuration keeps some.
  public var received: ReceivedPushes? { context.journal.inbox }

  /// Closes the port and every connection, and returns when all threads have ended and the journal
  /// is complete. A second call does nothing more. Not to be called by `answer`.
  public func stop() {
    context.stop()
    threads.wait()
  }
}

// What may be changed while it runs. Connections go by it from their next requests on.
extension Emulator {
  /// Plays another script from its beginning; a script without rules is a good day.
  public func play(_ script: FaultScript) { context.change { $0.playing(script) } }

  /// How far its clock is ahead of the system's, in seconds.
  public var clockOffset: Int { context.behavior.configuration.clockOffset }

  /// Shows another time; answers carry `date` from then on.
  public func show(_ offset: ClockOffset) { context.change { $0.showing(offset) } }

  /// The devices it knows. As long as there is none, it takes every device token.
  public var devices: Devices { context.behavior.configuration.devices }

  /// Changes the devices it knows.
  public func changeDevices(_ change: (inout Devices) -> Void) {
    context.change { $0.knowing(change) }
  }

  /// The broadcast channels of all apps, in the order in which they were created.
  public var channels: [Channel] { context.channels.all }

  /// The most broadcast channels that an app may have.
  public var channelLimit: Int { context.channels.limit }

  /// Makes these the only broadcast channels.
  public func replaceChannels(by channels: [Channel]) { context.channels.replace(by: channels) }

  /// Sends GOAWAY on every open connection.
  ///
  /// - Returns: on how many.
  @discardableResult
  public func sendGoAway(_ end: ConnectionEnd = ConnectionEnd()) -> Int {
    context.orders.give(.goAway(end))
  }

  /// Ends every open connection.
  ///
  /// - Returns: how many.
  @discardableResult
  public func closeConnections(_ drop: Drop = .closeNotify) -> Int {
    context.orders.give(.drop(drop))
  }
}

extension Emulator {
  private func accept(
    on listener: Listener, take: @escaping @Sendable (consuming AcceptedSocket) -> Void
  ) throws(EmulatorError) {
    let acceptor = Acceptor(listener, context, take: take)
    guard threads.start({ acceptor.run() }) else { throw .outOfThreads }
  }

  private static func identity(
    _ configuration: EmulatorConfiguration
  ) throws(EmulatorError) -> (ServerTLS, String) {
    do {
      let authority = try Self.authority(configuration)
      var terms = configuration.certificate
      if let address = configuration.address { terms.names.append(address) }
      let identity = try authority.issue(terms)
      let tls = try ServerTLS(
        certificates: [identity.certificate], key: identity.key,
        protocols: configuration.protocols, asksForClientCertificate: true,
        requiresClientCertificate: configuration.requiresClientCertificate)
      return (tls, try authority.pem())
    } catch let failure as OpenSSLFailure {
      throw .certificates(call: failure.call, detail: failure.detail)
    } catch {
      throw .certificates(call: "ServerTLS", detail: "\(error)")
    }
  }

  private static func authority(
    _ configuration: EmulatorConfiguration
  ) throws(OpenSSLFailure) -> CertificateAuthority {
    if let kept = configuration.authority { return try CertificateAuthority(kept) }
    return try CertificateAuthority()
  }

  private static func listener(
    _ configuration: EmulatorConfiguration, _ port: UInt16
  ) throws(EmulatorError) -> Listener {
    let text = configuration.address ?? "127.0.0.1"
    guard let address = HostAddress(text) else { throw .address(text) }
    do throws(Listener.Failure) {
      return try Listener(port: port, address: address)
    } catch {
      throw .port(port, call: error.call, code: error.code)
    }
  }

  private static func secondListener(
    _ configuration: EmulatorConfiguration
  ) throws(EmulatorError) -> Listener? {
    guard let port = configuration.managePort else { return nil }
    return try listener(configuration, port)
  }

  private static func journal(
    _ configuration: EmulatorConfiguration
  ) throws(EmulatorError) -> Journal {
    do throws(Journal.Failure) {
      return try Journal(
        configuration.journal, inbox: configuration.keeps.map(ReceivedPushes.init(keeping:)),
        failed: configuration.journalFailed)
    } catch {
      throw .journal(code: error.code)
    }
  }
}
