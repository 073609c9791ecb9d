public import JSONText
public import PushEmulator
public import WebServer

/// The configuration of an inbox.
public struct InboxConfiguration: Sendable {
  /// The port; 0 lets the system choose.
  public var port: UInt16 = 0
  /// The address to listen on; nil means 127.0.0.1.
  public var address: String?
  /// The key that clients must present.
  public var key = AccessKey()
  /// The host names accepted in URLs besides `localhost`, if it listens on an address.
  public var names: [String] = []
  /// The program's version, which the inbox reports.
  public var version = ""
  /// The environment the emulator stands for.
  public var environment = EmulatorEnvironment.sandbox
  /// The emulator's initial script, as written; nil for none.
  public var script: JSON?

  /// The names of devices that the user has given, by device token in lowercase digits.
  public var deviceNames: [String: String] = [:]

  /// Creates the default configuration.
  public init() {}
}

/// A page and an API over HTTP/1.1 that show what an emulator received and control its behavior
/// (docs/emulator.md). It listens from `init` to `stop()`, on its own threads.
public final class Inbox: Sendable {
  /// The reason an inbox did not start.
  public typealias Failure = WebFailure

  /// The port it listens on.
  public let port: UInt16
  /// The URL with the key: `http://127.0.0.1:PORT/#key=…`.
  public let url: String

  private let site: Website
  private static let name = Website.Name(
    "inbox", command: "fanfare emulator", takesKeyInQuery: true)

  /// Starts an inbox. It is listening when this returns.
  ///
  /// - Parameters:
  ///   - emulator: must keep the pushes it receives (``EmulatorConfiguration/keeps``).
  /// - Throws: `Failure`.
  public init(
    of emulator: Emulator, _ configuration: InboxConfiguration = .init()
  ) throws(Failure) {
    let facts = InboxFacts(
      version: configuration.version, environment: configuration.environment,
      script: configuration.script ?? [:], deviceNames: configuration.deviceNames)
    let received = emulator.received ?? ReceivedPushes(keeping: 1)
    let place = WebAddress(
      port: configuration.port, address: configuration.address, names: configuration.names)
    site = try Website(
      Self.name, at: place, key: configuration.key, InboxAPI(emulator, received, facts),
      PageFile.all(Embedded.page))
    port = site.port
    var reached = EmulatorConfiguration()
    reached.address = configuration.address
    url = "http://\(reached.reachableHost):\(port)/#key=\(configuration.key.text)"
  }

  deinit { stop() }

  /// Closes the port and every connection, and returns when its threads have ended. Calling it
  /// again has no effect.
  public func stop() { site.stop() }
}
