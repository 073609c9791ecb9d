public import APNS
public import Credentials
public import HTTP2

/// Who signs in, as far as that could be found out.
public enum DiagnosisCredentials: Sendable {
  /// Nobody named a key or a certificate: the network alone is proven.
  case none
  /// A signing key. `fileName` is the key id in its file's name, when that is another one.
  case tokens(ProviderTokenSource, KeyID, TeamID, fileName: KeyID?)
  /// A client certificate.
  case certificate(ClientCertificate)
  /// What was named cannot be read or used. The error is the caller's own, and stays with it.
  case unusable(any Error)
  /// The key's ids are missing, not in order, or each other's.
  case badIdentifiers(any Error)
}

/// What is to be proven, and with what.
public struct DiagnosisPlan: Sendable {
  /// Which service it is.
  public var environment: PushEnvironment

  /// Where to connect, and how. Its time-out is the longest wait of each step.
  public var target: DialTarget

  /// Who signs in.
  public var credentials: DiagnosisCredentials

  /// The topic of the push to a false device token; nil leaves the push out, unless the certificate
  /// names one.
  public var topic: Topic?

  /// Whether the credentials are tested by listing the app's channels, at the host that manages
  /// them, in place of the push.
  public var testsChannels = false

  /// Time and chance.
  public var clock: RunClock

  /// The resolver and the sockets.
  public var network: DiagnosisNetwork

  /// A plan.
  public init(
    environment: PushEnvironment, target: DialTarget, credentials: DiagnosisCredentials = .none,
    topic: Topic? = nil, clock: RunClock = .system, network: DiagnosisNetwork = .system
  ) {
    self.environment = environment
    self.target = target
    self.credentials = credentials
    self.topic = topic
    self.clock = clock
    self.network = network
  }

  /// The ports to try, the one that is used first: APNs listens on two (Apple: Sending notification
  /// requests to APNs), but for channels.
  public var ports: [UInt16] {
    let others: [UInt16] = service == nil || testsChannels ? [] : [443, 2197]
    return [target.port] + others.filter { $0 != target.port }
  }

  /// Which of Apple's services it is, under whatever port; nil for an emulator or another server.
  var service: CertificateFacts.Environment? { CertificateFacts.Environment(environment) }

  /// Whether connections go through a proxy.
  var isProxied: Bool { target.proxyInUse != nil }
}

/// The system's resolver and sockets, passed in so that a test can decide what they find.
public struct DiagnosisNetwork: Sendable {
  /// Finds the addresses of a host.
  public var addresses: @Sendable (String) -> Result<[HostAddress], HostLookup.Failure>

  /// Connects to an address and port within so many milliseconds, and tells how many it took.
  public var connect: @Sendable (HostAddress, UInt16, Int) -> Result<Int, TCPProbe.Failure>

  /// A network.
  public init(
    addresses: @escaping @Sendable (String) -> Result<[HostAddress], HostLookup.Failure>,
    connect: @escaping @Sendable (HostAddress, UInt16, Int) -> Result<Int, TCPProbe.Failure>
  ) {
    self.addresses = addresses
    self.connect = connect
  }

  /// The system's.
  public static let system = DiagnosisNetwork(
    addresses: { host in
      Result { () throws(HostLookup.Failure) in try HostLookup.addresses(of: host) }
    },
    connect: { address, port, milliseconds in
      Result { () throws(TCPProbe.Failure) in
        try TCPProbe.connect(address, port: port, milliseconds: milliseconds)
      }
    })
}
