/// Something that moves bytes without blocking: a client's link or a server's.
public protocol ByteChannel: ~Copyable {
  /// Hands bytes over.
  ///
  /// - Returns: how many were taken; 0 when there is no room now.
  func send(_ bytes: UnsafeRawBufferPointer) throws(Link.Failure) -> Int

  /// Takes bytes that have arrived.
  ///
  /// - Returns: how many were written to the buffer; 0 when none are there now.
  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(Link.Failure) -> Int
}

extension Link: ByteChannel {}
