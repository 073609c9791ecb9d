internal import Foundation
internal import Synchronization

/// A proxy on loopback for tests: an HTTP one that knows CONNECT, or SOCKS 5.
///
/// It listens from `init` to `stop()`, on threads of its own, and leads to loopback only: a name
/// that has no route is answered as one that cannot be reached. Nothing in it waits longer than
/// two minutes.
public final class TestProxy: Sendable {
  /// What it speaks.
  public enum Kind: Sendable {
    /// HTTP's CONNECT (RFC 9110 section 9.3.6).
    case http
    /// SOCKS 5 (RFC 1928), with user and password (RFC 1929) where credentials are asked for.
    case socks5
  }

  /// What it does with a client.
  public enum Behaviour: Sendable {
    /// It opens the tunnel and carries bytes.
    case carries
    /// It answers with this HTTP status instead; as a SOCKS proxy with "not allowed".
    case refuses(status: Int)
    /// It says what is no answer.
    case saysGarbage
    /// It closes the connection instead of answering.
    case hangsUp
    /// It says nothing, until it is stopped.
    case keepsSilent
    /// It opens the tunnel, carries at least so many bytes from the server, and closes it.
    case drops(afterBytes: Int)
  }

  /// What a client has to know.
  public struct Credentials: Sendable, Hashable {
    /// The user's name.
    public var user: String
    /// The password.
    public var password: String

    /// A user and a password.
    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// What a client asked for.
  public struct Request: Sendable {
    /// The request line as it came; `SOCKS HOST:PORT` for SOCKS.
    public var line: String
    /// The header fields, names in lower case; none for SOCKS.
    public var fields: [(name: String, value: String)] = []
    /// What the client signed in with; nil when it did not.
    public var credentials: Credentials?

    /// Where to: `HOST:PORT`.
    public var destination: String {
      line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }
  }

  /// The port on 127.0.0.1 that it listens on.
  public let port: UInt16
  /// `http://127.0.0.1:PORT` or `socks5h://127.0.0.1:PORT`
  public let url: String

  private let context: ProxyContext

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - credentials: what it asks for; nil takes everybody.
  ///   - routes: for a destination `HOST:PORT` the port on 127.0.0.1 that stands in for it.
  public init(
    _ kind: Kind = .http, _ behaviour: Behaviour = .carries, credentials: Credentials? = nil,
    routes: [String: UInt16] = [:]
  ) throws {
    let listener = try ProxySocket.listening()
    port = listener.port
    url = (kind == .http ? "http" : "socks5h") + "://127.0.0.1:\(port)"
    context = try ProxyContext(kind, behaviour, credentials, routes)
    context.start(ProxyAcceptor(listener: listener, context: context).run)
  }

  deinit { stop() }

  /// Closes the port and all tunnels, and returns when all threads have ended. A second call does
  /// nothing more.
  public func stop() { context.stop() }

  /// What clients asked for, in order; refused requests are among it.
  public var requests: [Request] { context.seen.withLock { $0.requests } }

  /// How many clients have connected.
  public var connectionCount: Int { context.seen.withLock { $0.connections } }

  /// Whether a client ever said these bytes to the proxy, or through it: the first 256 KiB that
  /// clients say are kept. Encrypted bytes are anything, so the text should be six bytes or more.
  public func heard(_ text: String) -> Bool {
    context.seen.withLock { $0.bytes.range(of: Data(text.utf8)) != nil }
  }
}
