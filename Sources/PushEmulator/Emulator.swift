internal import HTTP2
internal import Synchronization

/// A strict APNs emulator for tests, demonstrations and experiments, on 127.0.0.1 by default.
///
/// It accepts pushes to devices and broadcast channels, and requests to manage channels, and judges
/// them as APNs does, from the single-stream start to the reason strings. It listens from `init` to
/// `stop()`, on its own threads.
public final class Emulator: Sendable {
  /// The port it listens on.
  public let port: UInt16

  /// The port of the second listener; nil without one.
  public let managePort: UInt16?

  /// The URL: `https://127.0.0.1:PORT`, or with the address it listens on.
  public let url: String

  /// The URL of the second listener; nil without one.
  public let manageURL: String?

  /// The authority's certificate in PEM, for clients to trust. Unless the authority is kept, its
  /// key exists only in memory, for the emulator's lifetime.
  public let certificateAuthorityPEM: String

  private let context: ConnectionContext
  private let threads: ThreadGroup

  /// Starts an emulator. It is listening when this returns.
  ///
  /// - Throws: `EmulatorError` if the port or the journal is unavailable, or the certificates
  ///   cannot be created.
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

  /// The number of requests received, including refused ones.
  public var requestCount: Int { context.requests.load(ordering: .relaxed) }

  /// The number of pushes that count as delivered: answered with 200, or processed by a script.
  public var processedCount: Int { context.processed.load(ordering: .relaxed) }

  /// The number of connections accepted, except those over the limit.
  public var connectionCount: Int { context.connections.load(ordering: .relaxed) }

  /// The number of connections reset because the limit was reached.
  public var refusedConnectionCount: Int { context.refusals.load(ordering: .relaxed) }

  /// The number of open connections.
  public var openConnectionCount: Int { context.openConnections.load(ordering: .relaxed) }

  /// The `errno` of the journal's first failed write; nil if none failed.
  public var journalFailure: Int32? { context.journal.failure }

  /// The most recent requests; nil unless the configuration keeps some.
  public var received: ReceivedPushes? { context.journal.inbox }

  /// Closes the port and every connection, and returns when all threads have ended and the journal
  /// is complete. Calling it again has no effect. Do not call it from `answer`.
  public func stop() {
    context.stop()
    threads.wait()
  }
}

// Changes at run time. Connections adopt them with their next requests.
extension Emulator {
  /// Plays another script from its beginning. A script without rules means no faults.
  public func play(_ script: FaultScript) { context.change { $0.playing(script) } }

  /// The seconds by which its clock is ahead of the system's.
  public var clockOffset: Int { context.behavior.configuration.clockOffset }

  /// Sets the clock. From then on answers carry `date`.
  public func show(_ offset: ClockOffset) { context.change { $0.showing(offset) } }

  /// The known devices. If there are none, the emulator accepts every device token.
  public var devices: EmulatedDevices { context.behavior.configuration.devices }

  /// Changes the known devices.
  public func changeDevices(_ change: (inout EmulatedDevices) -> Void) {
    context.change { $0.knowing(change) }
  }

  /// The broadcast channels of all apps, in the order of creation.
  public var channels: [Channel] { context.channels.all }

  /// The maximum number of broadcast channels per app.
  public var channelLimit: Int { context.channels.limit }

  /// Replaces all broadcast channels.
  public func replaceChannels(by channels: [Channel]) { context.channels.replace(by: channels) }

  /// Sends GOAWAY on every open connection.
  ///
  /// - Returns: the number of connections.
  @discardableResult
  public func sendGoAway(_ end: ConnectionEnd = ConnectionEnd()) -> Int {
    context.orders.give(.goAway(end))
  }

  /// Ends every open connection.
  ///
  /// - Returns: the number of connections.
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

/// The reason an emulator did not start.
public enum EmulatorError: Error, Sendable, Hashable {
  /// The port is unavailable: the system call that failed, and its `errno`.
  case port(UInt16, call: String, code: Int32)
  /// The address to listen on is not numeric.
  case address(String)
  /// The journal cannot be opened, with this `errno`. Symbolic links are refused.
  case journal(code: Int32)
  /// OpenSSL could not create the certificates: the call that failed, and OpenSSL's message.
  case certificates(call: String, detail: String)
  /// The process has no file descriptors left.
  case outOfDescriptors
  /// The system cannot create another thread.
  case outOfThreads
}

extension KeptAuthority {
  /// Creates a new authority.
  ///
  /// - Throws: `EmulatorError.certificates`.
  public static func new() throws(EmulatorError) -> KeptAuthority {
    do throws(OpenSSLFailure) {
      return try CertificateAuthority(lifetime: lifetime).kept()
    } catch {
      throw .certificates(call: error.call, detail: error.detail)
    }
  }
}
