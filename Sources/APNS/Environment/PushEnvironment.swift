/// The service to push to. There is no default, so that production is never hit by accident.
public enum PushEnvironment: Sendable, Hashable {
  /// Apple's service for apps from TestFlight, Ad Hoc and the App Store.
  case production
  /// Apple's service for development builds.
  case sandbox
  /// The emulator, running in this process.
  case emulator
  /// A running emulator with an inbox on this machine, once found.
  case inbox(ServerAddress)
  /// Any other server, such as an emulator on another machine.
  case server(ServerAddress)

  /// The environments with a fixed name.
  public static let named: [PushEnvironment] = [.production, .sandbox, .emulator]

  /// The name of an emulator with an inbox.
  public static let inboxName = "inbox"

  /// The name: `production`, `sandbox`, `emulator`, `inbox`, or the server's URL.
  public var name: String {
    switch self {
    case .production: "production"
    case .sandbox: "sandbox"
    case .emulator: "emulator"
    case .inbox: Self.inboxName
    case .server(let address): address.description
    }
  }

  /// The server's address; nil for the emulator, whose port is unknown until it starts (Apple:
  /// Sending notification requests to APNs).
  public var address: ServerAddress? {
    switch self {
    case .production: ServerAddress(host: "api.push.apple.com")
    case .sandbox: ServerAddress(host: "api.sandbox.push.apple.com")
    case .emulator: nil
    case .inbox(let address), .server(let address): address
    }
  }

  /// The ports on which Apple's services take pushes (Apple: Sending notification requests to APNs).
  public static let servicePorts: [UInt16] = [443, 2197]

  /// The sandbox's former host name.
  public static let olderSandboxHost = "api.development.push.apple.com"

  /// The address for managing channels; nil for the emulator, as with ``address`` (Apple: Sending
  /// channel management requests to APNs).
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

  /// True for an emulator that accepts any credentials, so that generated ones will do.
  public var isEmulator: Bool {
    switch self {
    case .emulator, .inbox: true
    case .production, .sandbox, .server: false
    }
  }
}

/// The user's choice of an environment.
public enum EnvironmentSetting: Sendable, Hashable {
  /// A given environment.
  case named(PushEnvironment)
  /// Whichever of Apple's two services knows the device token.
  case auto

  /// The emulator with an inbox that was started last on this machine, looked up when needed.
  case inbox

  /// True for an emulator that accepts any credentials.
  public var isEmulator: Bool {
    switch self {
    case .named(let environment): environment.isEmulator
    case .inbox: true
    case .auto: false
    }
  }

  /// The word for `auto`.
  public static let autoName = "auto"
}
