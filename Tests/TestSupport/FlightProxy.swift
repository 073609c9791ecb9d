internal import Foundation
internal import Synchronization

/// Opens once, for all who wait on it.
public final class Gate: Sendable {
  /// Readable once it is open.
  let descriptor: Int32
  private let writeEnd: Mutex<Int32?>

  /// A closed one.
  public init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    writeEnd = Mutex(ends[1])
  }

  deinit {
    open()
    close(descriptor)
  }

  /// Opens it; a second call does nothing more.
  public func open() {
    writeEnd.withLock { end in
      if let end { close(end) }
      end = nil
    }
  }

  var isOpen: Bool { writeEnd.withLock { $0 == nil } }
}

/// A proxy on loopback for one connection, which proves how many flights of bytes a client needs
/// before it says what matters. A flight is what one side says without hearing more of the other.
///
/// It carries the server's first flight only. Once the client has spoken for the second time, it holds
/// back what the server says until the gate opens, as it should do when the server has what matters: a
/// client that waits for another flight waits in vain. No clock is asked.
public final class FlightProxy: Sendable {
  /// The port on 127.0.0.1 that it listens on.
  public let port: UInt16

  private let work: FlightCount
  private let stopGate: Gate

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - target: the server's port on 127.0.0.1.
  ///   - gate: whoever finds that the server has what matters opens it.
  public init(to target: UInt16, until gate: Gate) throws {
    let listener = try ProxySocket.listening()
    (port, stopGate) = (listener.port, try Gate())
    work = FlightCount(target: target, gate: gate, stop: stopGate)
    Thread.detachNewThread { [work] in
      if let client = listener.accept(until: work.stop.descriptor) { work.serve(client) }
    }
  }

  deinit { stopGate.open() }

  /// How many flights there were, either way, up to the first one after the gate opened.
  public var flights: Int { work.flights }
}

/// The work of a flight proxy's thread.
private final class FlightCount: Sendable {
  private enum Side { case client, server }

  private let target: UInt16
  private let gate: Gate
  let stop: Gate
  private let speakers = Mutex<[Side]>([])

  init(target: UInt16, gate: Gate, stop: Gate) {
    (self.target, self.gate, self.stop) = (target, gate, stop)
  }

  var flights: Int { speakers.withLock { $0.count } }

  func serve(_ client: ProxySocket) {
    guard let server = ProxySocket.connected(to: target, until: stop.descriptor),
      carryFirstFlights(client, server), holdBack(client, server)
    else { return }
    while let ready = ready(client, server) {
      if ready.server, !carry(from: server, to: client, .server, counts: flights < 4) { return }
      if ready.client, !carry(from: client, to: server, .client, counts: false) { return }
    }
  }

  /// Until the client has spoken for the second time; false when the connection is over.
  private func carryFirstFlights(_ client: ProxySocket, _ server: ProxySocket) -> Bool {
    while flights < 3 {
      guard let ready = ready(client, server) else { return false }
      // Whoever has heard the server speaks after it.
      if ready.client, !carry(from: client, to: server, .client) { return false }
      if ready.server, flights < 3, !carry(from: server, to: client, .server) { return false }
    }
    return true
  }

  /// Carries what the client says until the gate opens; false when it did not.
  private func holdBack(_ client: ProxySocket, _ server: ProxySocket) -> Bool {
    while ProxySocket.wait(for: [(client, POLLIN)], until: gate.descriptor) == [true] {
      guard carry(from: client, to: server, .client) else { return false }
    }
    return gate.isOpen
  }

  private func ready(
    _ client: ProxySocket, _ server: ProxySocket
  ) -> (client: Bool, server: Bool)? {
    ProxySocket.wait(for: [(client, POLLIN), (server, POLLIN)], until: stop.descriptor)
      .map { ($0[0], $0[1]) }
  }

  private func carry(
    from source: ProxySocket, to destination: ProxySocket, _ side: Side, counts: Bool = true
  ) -> Bool {
    guard let bytes = source.readNow() else { return false }
    if counts { speakers.withLock { if $0.last != side { $0.append(side) } } }
    return destination.write(bytes, until: stop.descriptor)
  }
}
