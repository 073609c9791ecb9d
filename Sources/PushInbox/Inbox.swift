internal import HTTP2
public import JSONText
public import PushEmulator

/// How an inbox is reached.
public struct InboxConfiguration: Sendable {
  /// The port; 0 lets the system choose.
  public var port: UInt16 = 0
  /// The address to listen on; nil is 127.0.0.1.
  public var address: String?
  /// What clients have to show.
  public var key = InboxKey()
  /// Host names that are good in URLs besides `localhost`, when it listens on an address.
  public var names: [String] = []
  /// The version of the program, which it tells.
  public var version = ""
  /// Which environment the emulator stands for.
  public var environment = EmulatorEnvironment.sandbox
  /// The script that the emulator plays to begin with, as it was written; nil for none.
  public var script: JSON?

  /// The default.
  public init() {}
}

/// A page and an API over HTTP/1.1 that show what an emulator received, and change how it behaves
/// (docs/emulator.md). It listens from `init` to `stop()`, on threads of its own.
public final class Inbox: Sendable {
  /// Why an inbox did not start.
  public enum Failure: Error, Sendable, Hashable {
    /// The address is not a numeric one.
    case badAddress(String)
    /// The port cannot be had: the system call that failed, and its `errno`.
    case port(UInt16, call: String, code: Int32)
    /// The process has no descriptors left.
    case outOfDescriptors
    /// The system has no thread left.
    case outOfThreads
  }

  /// The port it listens on.
  public let port: UInt16
  /// Where it is, with the key: `http://127.0.0.1:PORT/?key=…`.
  public let url: String

  private let server: HTTPServer

  /// Starts an inbox; it listens when this returns.
  ///
  /// - Parameters:
  ///   - emulator: has to keep what it receives (``EmulatorConfiguration/keeps``).
  /// - Throws: `Failure`.
  public init(
    of emulator: Emulator, _ configuration: InboxConfiguration = .init()
  ) throws(Failure) {
    let listener = try Self.listener(configuration)
    port = listener.port
    let facts = InboxFacts(
      version: configuration.version, environment: configuration.environment,
      script: configuration.script ?? [:])
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
    url = "http://\(reached.reachableHost):\(port)/?key=\(configuration.key.text)"
  }

  deinit { stop() }

  /// Closes the port and every connection, and returns when its threads have ended. A second call
  /// does nothing more.
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
