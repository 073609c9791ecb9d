internal import POSIX

/// A relay's sockets to a client and its server. The relay's thread decides what passes when. It
/// never blocks, except in `wait`.
public final class SocketRelay: Sendable {
  /// The sides of a relay.
  public struct Sides: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: Int
    /// The raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The client, which connected.
    public static let client = Sides(rawValue: 1)
    /// The server.
    public static let server = Sides(rawValue: 2)
  }

  /// The result of reading from one side.
  public enum Word: Sendable, Hashable {
    /// Nothing has arrived.
    case nothing
    /// Bytes.
    case bytes([UInt8])
    /// FIN: nothing more will follow.
    case end
    /// RST, or the connection failed.
    case reset
  }

  private static let bufferSize = 65_536

  private let client: AcceptedSocket
  private let server: AcceptedSocket

  init(client: consuming AcceptedSocket, server: consuming AcceptedSocket) {
    BrokenPipe.block()
    self.client = client
    self.server = server
  }

  /// Receives from one side.
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

  /// Sends bytes to one side.
  ///
  /// - Returns: the number of bytes accepted; 0 if there is no room, nil if the side is gone.
  public func send(_ bytes: ArraySlice<UInt8>, to side: Sides) -> Int? {
    let count = bytes.withUnsafeBytes {
      POSIX.send(descriptor(side), $0.baseAddress, $0.count, 0)
    }
    if count >= 0 { return count }
    return [EAGAIN, EINTR].contains(errno) ? 0 : nil
  }

  /// Sends FIN to one side.
  public func endSending(to side: Sides) { shutdown(descriptor(side), Int32(SHUT_WR)) }

  /// Makes both connections end with a TCP reset.
  public func resetOnClose() {
    client.resetOnClose()
    server.resetOnClose()
  }

  /// Waits until one side is readable or writable, the wake is signaled, or the time is up. Nil
  /// waits without limit.
  ///
  /// - Parameters:
  ///   - reading: the sides to read from.
  ///   - writing: the sides to write to.
  /// - Returns: the readable sides.
  public func wait(reading: Sides, writing: Sides, wake: Wake, milliseconds: Int?) -> Sides {
    var waiting = [Sides.client, .server].map { side in
      let events = (reading.contains(side) ? POLLIN : 0) | (writing.contains(side) ? POLLOUT : 0)
      // Otherwise a closed side that nobody reads or writes would be reported again and again.
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
  /// Inserts a relay between the client and its server.
  ///
  /// - Parameters:
  ///   - wake: ends the wait.
  ///   - start: starts a thread for the relay; returns false if it cannot.
  /// - Returns: the socket for the server; nil if the system is out of descriptors or threads.
  public consuming func relayed(wake: Wake, _ start: (SocketRelay) -> Bool) -> AcceptedSocket? {
    guard let listener = try? Listener(), let near = connected(to: listener.port) else {
      return nil
    }
    let server = AcceptedSocket(descriptor: near)
    let accepted: AcceptedSocket?
    do { accepted = try listener.accept(wake: wake) } catch { return nil }
    guard let served = accepted else { return nil }
    // Another program may have connected first.
    guard port(of: served.descriptor, getpeername) == port(of: near, getsockname) else {
      return nil
    }
    return start(SocketRelay(client: self, server: server)) ? consume served : nil
  }
}

/// Connects to a listening port on 127.0.0.1.
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

/// The port of a socket or of its peer, depending on `call`.
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
