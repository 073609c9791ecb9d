import HTTP2

/// A channel that keeps what is sent until somebody takes it.
final class MemoryChannel: ByteChannel {
  private var bytes: [UInt8] = []

  /// How many more bytes it takes before it is full.
  var room = Int.max

  func send(_ offered: UnsafeRawBufferPointer) throws(ChannelFailure) -> Int {
    let taken = min(room, offered.count)
    bytes.append(contentsOf: offered.prefix(taken))
    room -= taken
    return taken
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ChannelFailure) -> Int {
    let count = min(buffer.count, bytes.count)
    buffer.copyBytes(from: bytes.prefix(count))
    bytes.removeFirst(count)
    return count
  }

  /// Everything that was sent and not yet taken.
  func takeAll() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
