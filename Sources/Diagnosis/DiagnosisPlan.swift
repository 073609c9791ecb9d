public import APNS
public import Credentials
public import HTTP2

/// The credentials to test, as far as they could be determined.
public enum DiagnosisCredentials: Sendable {
  /// No credentials were given: only the network is tested.
  case none
  /// A signing key. `fileName` is the key ID in the file's name, if it differs.
  case tokens(ProviderTokenSource, KeyID, TeamID, fileName: KeyID?)
  /// A client certificate.
  case certificate(ClientCertificate)
  /// The credentials given cannot be read or used. The error is the caller's own.
  case unusable(any Error)
  /// The key ID or team ID is missing or malformed, or the two are swapped.
  case badIdentifiers(any Error)
}

/// The subject of a diagnosis.
public struct DiagnosisPlan: Sendable {
  /// The environment to test.
  public var environment: PushEnvironment

  /// The server to connect to, and how. Its timeout is the longest wait of each step.
  public var target: DialTarget

  /// The credentials to test.
  public var credentials: DiagnosisCredentials

  /// The topic of the push to a fake device token; nil skips the push, unless a certificate names a
  /// topic.
  public var topic: Topic?

  /// Tests the credentials by listing the app's channels, at the host that manages them, instead of
  /// sending a push.
  public var testsChannels = false

  /// The sources of time and randomness.
  public var clock: RunClock

  /// The resolver and the sockets.
  public var network: DiagnosisNetwork

  /// Creates a plan.
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

  /// The ports to try, starting with the one in use. APNs listens on two, except for channels.
  public var ports: [UInt16] {
    let others: [UInt16] = service == nil || testsChannels ? [] : PushEnvironment.servicePorts
    return [target.port] + others.filter { $0 != target.port }
  }

  /// The Apple service behind the environment, whatever the port; nil for any other server.
  var service: CertificateFacts.Environment? { CertificateFacts.Environment(environment) }

  /// Connections go through a proxy.
  var isProxied: Bool { target.proxyInUse != nil }
}

/// The system's resolver and sockets, injected so that tests can control their results.
public struct DiagnosisNetwork: Sendable {
  /// Resolves a host name.
  public var addresses: @Sendable (String) -> Result<[HostAddress], HostLookup.Failure>

  /// Connects to an address and port within a limit, and returns the time taken, in milliseconds.
  public var connect: @Sendable (HostAddress, UInt16, Int) -> Result<Int, TCPProbe.Failure>

  /// The system's own resolver and sockets.
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
