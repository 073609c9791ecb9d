internal import HTTP2
public import JSONText
public import PushEmulator

/// The configuration of an inbox.
public struct InboxConfiguration: Sendable {
  /// The port; 0 lets the system choose.
  public var port: UInt16 = 0
  /// The address to listen on; nil means 127.0.0.1.
  public var address: String?
  /// The key that clients must present.
  public var key = InboxKey()
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
  public enum Failure: Error, Sendable, Hashable {
    /// The address is not numeric.
    case badAddress(String)
    /// The port is not available: the system call that failed, and its `errno`.
    case port(UInt16, call: String, code: Int32)
    /// The process has no file descriptors left.
    case outOfDescriptors
    /// The system cannot create another thread.
    case outOfThreads
  }

  /// The port it listens on.
  public let port: UInt16
  /// The URL with the key: `http://127.0.0.1:PORT/#key=…`.
  public let url: String

  private let server: HTTPServer

  /// Starts an inbox. It is listening when this returns.
  ///
  /// - Parameters:
  ///   - emulator: must keep the pushes it receives (``EmulatorConfiguration/keeps``).
  /// - Throws: `Failure`.
  public init(
    of emulator: Emulator, _ configuration: InboxConfiguration = .init()
  ) throws(Failure) {
    let listener = try Self.listener(configuration)
    port = listener.port
    let facts = InboxFacts(
      version: configuration.version, environment: configuration.environment,
      script: configuration.script ?? [:], deviceNames: configuration.deviceNames)
    let access = InboxAccess(
      key: configuration.key, port: port, isBound: configuration.address != nil,
      names: configuration.names)
    let received = emulator.received ?? ReceivedPushes(keeping: 1)
    let service = InboxService(access: access, api: InboxAPI(emulator, received, facts))
    do throws(HTTPServer.Failure) {
      server = try HTTPServer(listener, service)
    } catch {
      throw error == .outOfThreads ? .outOfThreads : .outOfDescriptors
    }
    var reached = EmulatorConfiguration()
    reached.address = configuration.address
    url = "http://\(reached.reachableHost):\(port)/#key=\(configuration.key.text)"
  }

  deinit { stop() }

  /// Closes the port and every connection, and returns when its threads have ended. Calling it
  /// again has no effect.
  public func stop() { server.stop() }

  private static func listener(_ configuration: InboxConfiguration) throws(Failure) -> Listener {
    let text = configuration.address ?? "127.0.0.1"
    guard let address = HostAddress(text) else { throw .badAddress(text) }
    do throws(Listener.Failure) {
      return try Listener(port: configuration.port, address: address)
    } catch {
      throw .port(configuration.port, call: error.call, code: error.code)
    }
  }
}
