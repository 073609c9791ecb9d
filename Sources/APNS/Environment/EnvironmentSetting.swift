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
