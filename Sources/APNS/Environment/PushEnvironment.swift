/// Which service pushes go to. There is no default: production is never hit by accident.
public enum PushEnvironment: Sendable, Hashable {
  /// Apple's service for apps from TestFlight, Ad Hoc and the App Store.
  case production
  /// Apple's service for development builds.
  case sandbox
  /// The emulator, started in this process.
  case emulator
  /// An emulator with an inbox that runs on this machine, once it has been found.
  case inbox(ServerAddress)
  /// A server of one's own, such as an emulator that runs elsewhere.
  case server(ServerAddress)

  /// The environments that have a name.
  public static let named: [PushEnvironment] = [.production, .sandbox, .emulator]

  /// The word for an emulator with an inbox.
  public static let inboxName = "inbox"

  /// The word for it: `production`, `sandbox`, `emulator`, `inbox`, or the server's URL.
  public var name: String {
    switch self {
    case .production: "production"
    case .sandbox: "sandbox"
    case .emulator: "emulator"
    case .inbox: Self.inboxName
    case .server(let address): address.description
    }
  }

  /// Where to connect; nil for the emulator, whose port is not known before it is started
  /// (Apple: Sending notification requests to APNs).
  public var address: ServerAddress? {
    switch self {
    case .production: ServerAddress(host: "api.push.apple.com")
    case .sandbox: ServerAddress(host: "api.sandbox.push.apple.com")
    case .emulator: nil
    case .inbox(let address), .server(let address): address
    }
  }

  /// Another name of the sandbox's host, from before it had the present one.
  public static let olderSandboxHost = "api.development.push.apple.com"

  /// Where channels are managed; nil for the emulator, as with ``address`` (Apple: Sending channel
  /// management requests to APNs).
  public var managementAddress: ServerAddress? {
    switch self {
    case .production: ServerAddress(host: "api-manage-broadcast.push.apple.com", port: 2196)
    case .sandbox: ServerAddress(host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195)
    case .emulator, .inbox, .server: address
    }
  }

  /// The one of Apple's services that a host belongs to, whichever task it has there; nil for any
  /// other host.
  public static func service(ofHost host: String) -> PushEnvironment? {
    if host == olderSandboxHost { return .sandbox }
    return [sandbox, production].first { service in
      service.address.map { host.hasSuffix($0.host.drop { $0 != "." }) } ?? false
    }
  }

  /// Whether it is an emulator that takes any credentials, so that some can be made up.
  public var isEmulator: Bool {
    switch self {
    case .emulator, .inbox: true
    case .production, .sandbox, .server: false
    }
  }
}

/// What a person says about where pushes go.
public enum EnvironmentSetting: Sendable, Hashable {
  /// To this service.
  case named(PushEnvironment)
  /// To the one of Apple's two services that knows the device token.
  case auto

  /// To the emulator with an inbox that was started last on this machine, whichever that is then.
  case inbox

  /// Whether it is an emulator that takes any credentials.
  public var isEmulator: Bool {
    switch self {
    case .named(let environment): environment.isEmulator
    case .inbox: true
    case .auto: false
    }
  }

  /// The word for the second.
  public static let autoName = "auto"
}
