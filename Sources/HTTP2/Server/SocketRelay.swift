internal import POSIX

/// The two sockets of a thread between a client and its server, which decides what passes when. It never
/// blocks, except in `wait`.
public final class SocketRelay: Sendable {
  /// The ends of a relay.
  public struct Sides: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: Int
    /// The raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The client, which connected.
    public static let client = Sides(rawValue: 1)
    /// Its server.
    public static let server = Sides(rawValue: 2)
  }

  /// What one side said.
  public enum Word: Sendable, Hashable {
    /// Nothing so far.
    case nothing
    /// These bytes.
    case bytes([UInt8])
    /// FIN: it will say no more.
    case end
    /// RST, or the connection failed.
    case reset
  }

  private static let bufferSize = 65_536

  private let client: AcceptedSocket
  private let server: AcceptedSocket

  init(client: consuming AcceptedSocket, server: consuming AcceptedSocket) {
    _ = BrokenPipe.ignored
    self.client = client
    self.server = server
  }

  /// Takes what one side has said.
  public func receive(from side: Sides) -> Word {
    let (socket, size) = (descriptor(side), Self.bufferSize)
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
      count = recv(socket, buffer.baseAddress, size, 0)
      used = max(0, count)
    }
    if count > 0 { return .bytes(bytes) }
    return count == 0 ? .end : [EAGAIN, EINTR].contains(errno) ? .nothing : .reset
  }

  /// Hands bytes over to one side.
  ///
  /// - Returns: how many bytes that side took; 0 while it has no room, nil when it is gone.
  public func send(_ bytes: ArraySlice<UInt8>, to side: Sides) -> Int? {
    let count = bytes.withUnsafeBytes {
      POSIX.send(descriptor(side), $0.baseAddress, $0.count, 0)
    }
    if count >= 0 { return count }
    return [EAGAIN, EINTR].contains(errno) ? 0 : nil
  }

  /// Sends FIN to one side.
  public func endSending(to side: Sides) { shutdown(descriptor(side), Int32(SHUT_WR)) }

  /// Makes the end of both connections a TCP reset.
  public func resetOnClose() {
    client.resetOnClose()
    server.resetOnClose()
  }

  /// Waits until one side has said something, has room, the wake is called, or the time is over. Nil
  /// waits without end.
  ///
  /// - Parameters:
  ///   - reading: the sides whose words are wanted.
  ///   - writing: the sides whose room is wanted.
  /// - Returns: the sides to read from.
  public func wait(reading: Sides, writing: Sides, wake: Wake, milliseconds: Int?) -> Sides {
    var waiting = [Sides.client, .server].map { side in
      let events = (reading.contains(side) ? POLLIN : 0) | (writing.contains(side) ? POLLOUT : 0)
      // A side of which nothing is wanted would otherwise report that it is gone, again and again.
      return pollfd(fd: events == 0 ? -1 : descriptor(side), events: Int16(events), revents: 0)
    }
    waiting.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
    let count = poll(
      &waiting, nfds_t(waiting.count), milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1)
    guard count > 0 else { return [] }
    let ready = zip([Sides.client, .server], waiting).filter { $1.revents != 0 }
    return Sides(ready.map(\.0)).intersection(reading)
  }

  private func descriptor(_ side: Sides) -> Int32 {
    side == .client ? client.descriptor : server.descriptor
  }
}

extension AcceptedSocket {
  /// Puts a relay between the client and whoever serves it.
  ///
  /// - Parameters:
  ///   - wake: ends the waiting.
  ///   - start: gets the relay, for a thread of its own; false when there is none.
  /// - Returns: the socket to serve; nil when the system has no descriptors or threads left.
  public consuming func relayed(wake: Wake, _ start: (SocketRelay) -> Bool) -> AcceptedSocket? {
    guard let listener = try? Listener(), let near = connected(to: listener.port) else {
      return nil
    }
    let server = AcceptedSocket(descriptor: near)
    let accepted: AcceptedSocket?
    do { accepted = try listener.accept(wake: wake) } catch { return nil }
    guard let served = accepted else { return nil }
    // Another program may have been faster.
    guard port(of: served.descriptor, getpeername) == port(of: near, getsockname) else {
      return nil
    }
    return start(SocketRelay(client: self, server: server)) ? consume served : nil
  }
}

/// Connects to a port on 127.0.0.1 that is listened on.
private func connected(to port: UInt16) -> Int32? {
  let socket = POSIX.socket(AF_INET, streamSocket, 0)
  guard socket >= 0 else { return nil }
  let result = HostAddress(text: "127.0.0.1", family: .v4).withSocketAddress(port: port) {
    connect(socket, $0, $1)
  }
  if result == 0 { return socket }
  close(socket)
  return nil
}

/// The port of a socket's own address or its peer's, by the call that tells it.
private func port(
  of socket: Int32,
  _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
) -> UInt16? {
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutableBytes(of: &address) {
    call(socket, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
  }
  return result == 0 ? address.sin_port : nil
}
