internal import APNS
public import HTTP2
internal import POSIX

/// How an emulator behaves. The default is what APNs' sandbox does on a good day.
public struct EmulatorConfiguration: Sendable {
  /// The port; 0 lets the system choose.
  public var port: UInt16 = 0

  /// The port of a second listener, for clients that manage channels where Apple has them managed,
  /// at a port of its own; 0 lets the system choose, nil has none. Either listener takes every
  /// request.
  public var managePort: UInt16?

  /// The numeric address to listen on; nil is 127.0.0.1. Its certificate is good for it.
  public var address: String?

  /// The authority that signs its certificate; nil makes a new one.
  public var authority: KeptAuthority?

  /// Whether it stands for the sandbox: answers carry `apns-unique-id`, as only the sandbox's do,
  /// and keys and certificates have to be good for it.
  public var isSandbox = true

  /// Where a line for each request goes.
  public var journal = JournalDestination.none

  /// How many of the last requests ``Emulator/received`` keeps; nil keeps none.
  public var keeps: Int?

  /// The devices it knows to begin with.
  public var devices = Devices()

  /// The most broadcast channels that an app may have.
  public var channelLimit = ChannelRequest.limit

  /// Is told the `errno` of the journal's first write that fails, as soon as it does, on the thread
  /// of a connection. Later lines are still tried.
  public var journalFailed: @Sendable (Int32) -> Void = { _ in }

  /// Is told what keeps a client from being served, on the thread of its connection.
  public var notice: @Sendable (EmulatorNotice) -> Void = { _ in }

  /// The keys whose provider tokens are taken; with none, any well-formed provider token that is
  /// in date is.
  public var trustedKeys: [TrustedKey] = []

  /// The present, in seconds since 1970: what provider tokens and client certificates are judged
  /// by. The server certificate's dates follow the system's clock instead, for so does the client's
  /// TLS.
  public var now: @Sendable () -> Double = { systemTime() }

  /// How far the emulator's clock is ahead of `now`, in seconds; negative when it is behind.
  public var clockOffset = 0

  /// Whether answers carry the emulator's time as `date` (RFC 9110 section 6.6.1), as APNs' do. It
  /// costs a fiftieth of what a push costs, so that only who reads it asks for it.
  public var sendsDate = false

  /// Whether a client without a certificate is refused in the TLS handshake. APNs takes both kinds.
  public var requiresClientCertificate = false

  /// The SHA-256 fingerprints of client certificates that are answered with `BadCertificate`, as
  /// APNs does once a certificate is revoked.
  public var refusedCertificates: Set<[UInt8]> = []

  /// How far in the future, in seconds, a provider token may have been issued. Apple names no
  /// allowance; a minute lets clocks differ as they do.
  public var clockTolerance = 60

  /// How many streams a client may open before its first valid provider token. A client with a
  /// certificate gets `maxConcurrentStreams` at once.
  public var initialStreamLimit = 1

  /// How many streams a client may open after its first valid provider token.
  public var maxConcurrentStreams = 1000

  /// How many connections may be open; further ones are reset before TLS.
  public var connectionLimit = 256

  /// How long a client may take for each of its messages in the TLS handshake, in milliseconds.
  public var handshakeMilliseconds = 10_000

  /// What ALPN offers. Anything but `h2` alone is for tests of clients.
  public var protocols = ["h2"]

  /// What the server certificate says. Anything but the default is for tests of clients.
  public var certificate = CertificateTerms()

  /// Decides on a push that passed the strict checks; nil accepts it. The connections' threads
  /// call it, several at a time.
  public var answer: (@Sendable (IncomingPush) -> EmulatorAnswer?)?

  /// What timers go by, in milliseconds from any start: delays, trickles, rates. It never goes back.
  /// It is only asked while something waits for it.
  public var uptime: @Sendable () -> Int64 = { systemUptime() }

  /// Changes of the limits on concurrent streams and windows, on each connection.
  public var settings: [SettingsChange] = []

  /// How many errors a connection bears; nil for any number.
  public var errorBudget: ErrorBudget?

  /// How many pushes a device token is good for in a span of time; nil for any number. It is looked
  /// at before `answer`.
  public var tokenRateLimit: TokenRateLimit?

  /// How far away it seems to be, by `uptime`. Connections go by what holds when they are accepted.
  public var distance = Distance()

  /// What a script puts in place of `distance`; nil leaves it.
  public var scriptedDistance: Distance?

  /// What the connections do otherwise in HTTP/2: PING frames without acknowledgement, windows that
  /// are not refilled, padding.
  public var serverOptions = ServerSessionOptions()

  /// The default.
  public init() {}
}

extension EmulatorConfiguration {
  /// The environment it stands for.
  public var environment: EmulatorEnvironment {
    get { isSandbox ? .sandbox : .production }
    set { isSandbox = newValue == .sandbox }
  }

  /// The address as URLs on this machine have it: what listens on every address listens on loopback.
  public var reachableHost: String {
    switch address {
    case nil, "0.0.0.0", "::": "127.0.0.1"
    case .some(let address): address.contains(":") ? "[\(address)]" : address
    }
  }

  /// How far away it seems to be now.
  var currentDistance: Distance { scriptedDistance ?? distance }

  /// What the emulator's clock shows, in seconds since 1970.
  var time: Double { now() + Double(clockOffset) }
}

/// The system's clock in seconds since 1970.
private func systemTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The time since some start, in milliseconds.
private func systemUptime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
