/// What a person says about where pushes go.
public enum EnvironmentSetting: Sendable, Hashable {
  /// To this service.
  case named(PushEnvironment)
  /// To the one of Apple's two services that knows the device token.
  case auto

  /// The word for the second.
  public static let autoName = "auto"
}
