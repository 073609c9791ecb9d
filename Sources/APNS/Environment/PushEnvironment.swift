/// Which service pushes go to. There is no default: production is never hit by accident.
public enum PushEnvironment: Sendable, Hashable {
  /// Apple's service for apps from TestFlight, Ad Hoc and the App Store.
  case production
  /// Apple's service for development builds.
  case sandbox
  /// The emulator, started in this process.
  case emulator
  /// A server of one's own, such as an emulator that runs elsewhere.
  case server(ServerAddress)

  /// The environments that have a name.
  public static let named: [PushEnvironment] = [.production, .sandbox, .emulator]

  /// The word for it: `production`, `sandbox`, `emulator`, or the server's URL.
  public var name: String {
    switch self {
    case .production: "production"
    case .sandbox: "sandbox"
    case .emulator: "emulator"
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
    case .server(let address): address
    }
  }
}

/// What a person says about where pushes go.
public enum EnvironmentSetting: Sendable, Hashable {
  /// To this service.
  case named(PushEnvironment)
  /// To the one of Apple's two services that knows the device token.
  case auto

  /// The word for the second.
  public static let autoName = "auto"
}
