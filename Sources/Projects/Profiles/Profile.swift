public import APNS
public import JSONText

/// Settings under a name: what holds where neither an option, a scenario nor a variable says it.
public struct Profile: Sendable {
  /// What it is called.
  public let name: String

  /// The file that it stands in, as it is from here.
  public let file: String

  /// The app; nil when the profile does not say. So it is with all that follows.
  public var bundleID: BundleID?

  /// The service.
  public var environment: EnvironmentSetting?

  /// A PEM file of certificates to trust for the server that `environment` names.
  public var serverRoots: String?

  /// A PEM file of certificates to trust, whatever the service.
  public var roots: String?

  /// The port of Apple's services.
  public var port: UInt16?

  /// The URL of a proxy.
  public var proxy: String?

  /// Who is sending.
  public var credentials: CredentialsSetting?

  /// How many connections, 1 to 64.
  public var connections: Int?

  /// The most pushes in a time, as it was written.
  public var rate: String?

  /// How long to wait for an answer, in milliseconds.
  public var timeoutMilliseconds: Int?

  /// How often to try again, 0 to 100.
  public var retries: Int?

  /// How long to wait before the first of these, in milliseconds.
  public var retryDelayMilliseconds: Int?

  /// The history's file.
  public var history: String?

  /// What placeholders take where nothing else has a value; JSON types are kept.
  public var variables: [String: JSON] = [:]

  var positions: [String: JSONPosition] = [:]

  init(name: String, file: String) {
    self.name = name
    self.file = file
  }

  /// Whether one of its keys is there, such as `bundleID` or `credentials.key`.
  public func says(_ key: String) -> Bool { positions[key] != nil }

  /// Where one of its keys stands, such as `bundleID` or `credentials.key`; without one, where the
  /// profile begins.
  public func origin(of key: String = "") -> Origin { .file(file, at: positions[key]) }
}
