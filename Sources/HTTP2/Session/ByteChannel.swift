/// Something that moves bytes without blocking: a client's connection or a server's.
public protocol ByteChannel: ~Copyable {
  /// Hands bytes over.
  ///
  /// - Returns: how many were taken; 0 when there is no room now.
  func send(_ bytes: UnsafeRawBufferPointer) throws(ChannelFailure) -> Int

  /// Takes bytes that have arrived.
  ///
  /// - Returns: how many were written to the buffer; 0 when none are there now.
  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ChannelFailure) -> Int
}

/// Why a channel is of no more use.
public enum ChannelFailure: Error, Sendable, Hashable {
  /// The peer closed it, with or without TLS's own goodbye.
  case closed
  /// The server refused the client certificate, or requires one, with this alert. With TLS 1.3
  /// that arrives after the client's handshake is over, in place of the first bytes.
  case identityRefused(TLSAlert)
  /// It broke; the text is libcurl's or OpenSSL's and comes from outside.
  case broken(String)
}

/// What ended a wait.
public struct ChannelReadiness: OptionSet, Sendable {
  /// The raw bits.
  public let rawValue: Int
  /// The raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Bytes may have arrived, or the channel has failed.
  public static let readable = ChannelReadiness(rawValue: 1)
  /// There is room for bytes to send.
  public static let writable = ChannelReadiness(rawValue: 2)
  /// The waiting thread was woken by another one.
  public static let woken = ChannelReadiness(rawValue: 4)
}
