internal import Foundation
internal import Synchronization

/// What all threads of a proxy share.
final class ProxyContext: Sendable {
  /// What a proxy has seen so far.
  struct Seen {
    var requests: [TestProxy.Request] = []
    var connections = 0
    var bytes = Data()
  }

  static let connectionLimit = 256
  private static let byteLimit = 262_144

  let kind: TestProxy.Kind
  let behaviour: TestProxy.Behaviour
  let credentials: TestProxy.Credentials?
  let routes: [String: UInt16]
  let seen = Mutex(Seen())
  /// Readable once the proxy stops.
  let stopSignal: Int32
  private let stopSwitch: Mutex<Int32?>
  private let threads = DispatchGroup()

  init(
    _ kind: TestProxy.Kind, _ behaviour: TestProxy.Behaviour,
    _ credentials: TestProxy.Credentials?, _ routes: [String: UInt16]
  ) throws {
    self.kind = kind
    self.behaviour = behaviour
    self.credentials = credentials
    self.routes = routes
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopSignal = ends[0]
    stopSwitch = Mutex(ends[1])
  }

  deinit { close(stopSignal) }

  /// Runs work on a thread that `stop` waits for.
  func start(_ work: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      work()
      threads.leave()
    }
  }

  /// Ends all waiting, and waits for the threads.
  func stop() {
    // The other end of a pipe that nobody can write to any more is readable for good.
    stopSwitch.withLock { end in
      if let end { close(end) }
      end = nil
    }
    threads.wait()
  }

  /// Keeps what a client said.
  func hear(_ bytes: some Collection<UInt8>) {
    seen.withLock { $0.bytes.append(contentsOf: bytes.prefix(Self.byteLimit - $0.bytes.count)) }
  }

  /// Keeps what a client asked for.
  func record(_ request: TestProxy.Request) {
    seen.withLock { $0.requests.append(request) }
  }

  /// The port on loopback that a destination leads to; nil when it leads nowhere.
  func port(for destination: String) -> UInt16? {
    if let port = routes[destination] { return port }
    let parts = destination.split(separator: ":")
    guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]) else { return nil }
    return UInt16(parts[1])
  }
}

/// The work of the thread that takes a proxy's clients.
struct ProxyAcceptor {
  let listener: ProxySocket
  let context: ProxyContext

  func run() {
    while let socket = listener.accept(until: context.stopSignal) {
      let number = context.seen.withLock { seen in
        seen.connections += 1
        return seen.connections
      }
      guard number <= ProxyContext.connectionLimit else { continue }
      context.start { [context] in ProxyConnection(client: socket, context: context).serve() }
    }
  }
}
