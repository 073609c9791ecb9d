internal import APNS
public import HTTP2
internal import POSIX

/// The configuration of an emulator. By default it behaves as APNs' sandbox normally does.
public struct EmulatorConfiguration: Sendable {
  /// The port; 0 lets the system choose.
  public var port: UInt16 = 0

  /// The port of a second listener, for clients that manage channels on a separate port as with
  /// Apple; 0 lets the system choose, nil opens none. Both listeners accept every request.
  public var managePort: UInt16?

  /// The numeric address to listen on; nil means 127.0.0.1. The certificate covers it.
  public var address: String?

  /// The authority that signs the certificate; nil creates one.
  public var authority: KeptAuthority?

  /// The emulator stands for the sandbox: answers carry `apns-unique-id`, as only the sandbox's do,
  /// and keys and certificates must be valid for it.
  public var isSandbox = true

  /// The destination of the journal, which has one line per request.
  public var journal = JournalDestination.none

  /// The number of recent requests that ``Emulator/received`` keeps; nil keeps none.
  public var keeps: Int?

  /// The devices known at the start.
  public var devices = EmulatedDevices()

  /// The maximum number of broadcast channels per app.
  public var channelLimit = ChannelRequest.limit

  /// Called with the `errno` of the journal's first failed write, on a connection's thread. Later
  /// lines are still tried.
  public var journalFailed: @Sendable (Int32) -> Void = { _ in }

  /// Called with each problem that keeps a client from being served, on its connection's thread.
  public var notice: @Sendable (EmulatorNotice) -> Void = { _ in }

  /// The keys whose provider tokens are accepted; if empty, any well-formed, current token is.
  public var trustedKeys: [TrustedKey] = []

  /// The current time, in seconds since 1970, for checking provider tokens and client certificates.
  /// The server certificate follows the system's clock instead, like the client's TLS.
  public var now: @Sendable () -> Double = { systemTime() }

  /// The seconds by which the emulator's clock is ahead of `now`; negative if behind.
  public var clockOffset = 0

  /// Adds the emulator's time to answers as `date` (RFC 9110 section 6.6.1), as APNs does. It is
  /// off by default because it costs 2 % of a push's time.
  public var sendsDate = false

  /// Refuses clients without a certificate in the TLS handshake. APNs accepts both kinds.
  public var requiresClientCertificate = false

  /// The SHA-256 fingerprints of client certificates that get `BadCertificate`, as from APNs once a
  /// certificate is revoked.
  public var refusedCertificates: Set<[UInt8]> = []

  /// The seconds by which a provider token may be issued in the future. Apple names no allowance; a
  /// minute covers ordinary clock differences.
  public var clockTolerance = 60

  /// The number of streams a client may open before its first valid provider token. A client with a
  /// certificate gets `maxConcurrentStreams` at once.
  public var initialStreamLimit = 1

  /// The number of streams a client may open after its first valid provider token.
  public var maxConcurrentStreams = 1000

  /// The number of connections that may be open; more are reset before TLS.
  public var connectionLimit = 256

  /// The maximum wait for each client message in the TLS handshake, in milliseconds.
  public var handshakeMilliseconds = 10_000

  /// The protocols offered in ALPN. Anything but `h2` alone is for testing clients.
  public var protocols = ["h2"]

  /// The contents of the server certificate. Anything but the default is for testing clients.
  public var certificate = CertificateTerms()

  /// Decides on a push that passed the strict checks; nil accepts it. It is called on the
  /// connections' threads, concurrently.
  public var answer: (@Sendable (IncomingPush) -> EmulatorAnswer?)?

  /// The monotonic clock of delays, trickles and rates, in milliseconds from any start. It is read
  /// only while a timer is pending.
  public var uptime: @Sendable () -> Int64 = { systemUptime() }

  /// The changes to stream limits and windows, on each connection.
  public var settings: [SettingsChange] = []

  /// The number of errors a connection tolerates; nil for any number.
  public var errorBudget: ErrorBudget?

  /// The number of pushes per device token allowed in a period; nil for any number. It is checked
  /// before `answer`.
  public var tokenRateLimit: TokenRateLimit?

  /// The simulated distance, timed by `uptime`. A connection keeps the one in effect at its start.
  public var distance = Distance()

  /// The distance a script sets in place of `distance`; nil if it sets none.
  public var scriptedDistance: Distance?

  /// The HTTP/2 deviations of connections: PING frames without acknowledgement, windows that are
  /// not replenished, padding.
  public var serverOptions = ServerSessionOptions()

  /// Creates the default configuration.
  public init() {}
}

extension EmulatorConfiguration {
  /// The environment it stands for.
  public var environment: EmulatorEnvironment {
    get { isSandbox ? .sandbox : .production }
    set { isSandbox = newValue == .sandbox }
  }

  /// The address for URLs on this machine. A listener on all addresses also listens on loopback.
  public var reachableHost: String {
    switch address {
    case nil, "0.0.0.0", "::": "127.0.0.1"
    case .some(let address): address.contains(":") ? "[\(address)]" : address
    }
  }

  /// The simulated network distance now in effect.
  var currentDistance: Distance { scriptedDistance ?? distance }

  /// The emulator's clock, in seconds since 1970.
  var time: Double { now() + Double(clockOffset) }
}

/// The system's clock in seconds since 1970.
private func systemTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The time since an arbitrary start, in milliseconds.
private func systemUptime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.milliseconds
}

/// The difference of a clock, such as `+2h` or `-90m`, at most ten years.
public struct ClockOffset: Sendable, Hashable {
  private static let longest: Int64 = 3650 * 86_400

  /// The offset in seconds; negative if the clock is behind.
  public let seconds: Int

  /// Creates an offset in seconds, at most ten years.
  public init(seconds: Int) {
    self.seconds = min(max(seconds, -Int(Self.longest)), Int(Self.longest))
  }

  /// Reads a sign and a duration; nil for anything else. Zero, `0s`, needs no sign.
  public init?(_ text: String) {
    let sign = text.first == "-" || text.first == "+" ? text.first : nil
    guard let span = TimeSpan.seconds(sign == nil ? text[...] : text.dropFirst()),
      span <= Self.longest, sign != nil || span == 0
    else { return nil }
    seconds = Int(sign == "-" ? -span : span)
  }
}

/// A problem that keeps a client from being served, reported once per connection and kind.
public struct EmulatorNotice: Sendable, Hashable {
  /// The connection's number; the emulator's first one is 1.
  public let connection: Int
  /// The problem, in one sentence.
  public let text: String
  /// The fix, in one sentence.
  public let fix: String

  static func refusedStreams(_ count: Int, limit: Int, connection: Int) -> EmulatorNotice {
    EmulatorNotice(
      connection: connection,
      text: "Connection \(connection): \(count == 1 ? "1 stream was" : "\(count) streams were") "
        + "refused. As Apple documents, \(limit) may be open until the first valid provider token.",
      fix:
        "Have the client read SETTINGS first, or start the emulator with --streams-at-start 1000.")
  }

  static func foreignClient(_ client: ForeignClient, connection: Int) -> EmulatorNotice {
    let (what, fix) =
      switch client {
      case .otherProtocol:
        (
          "the client does not speak HTTP/2, and APNs speaks nothing else.",
          "Use a client with HTTP/2: curl needs --http2, and libraries their HTTP/2 transport."
        )
      case .plainHTTP: ("the client speaks HTTP without TLS.", "Use a URL that begins with https.")
      }
    return EmulatorNotice(
      connection: connection, text: "Connection \(connection): \(what)", fix: fix)
  }

  static func refusedToken(_ fault: TokenFault, connection: Int) -> EmulatorNotice {
    EmulatorNotice(
      connection: connection,
      text: "Connection \(connection): the provider token is refused: \(fault.rawValue).",
      fix: fault.fix)
  }
}
