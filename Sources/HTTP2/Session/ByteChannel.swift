/// A non-blocking byte stream: a client's connection or a server's.
public protocol ByteChannel: ~Copyable {
  /// Sends bytes.
  ///
  /// - Returns: the number of bytes accepted; 0 if there is no room at present.
  func send(_ bytes: UnsafeRawBufferPointer) throws(ChannelFailure) -> Int

  /// Receives bytes that have arrived.
  ///
  /// - Returns: the number of bytes written to the buffer; 0 if none are available.
  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ChannelFailure) -> Int
}

/// The reason a channel is no longer usable.
public enum ChannelFailure: Error, Sendable, Hashable {
  /// The peer closed it, with or without TLS's close_notify.
  case closed
  /// The server rejected the client certificate, or requires one, with this alert. With TLS 1.3 it
  /// arrives after the client's handshake is complete, instead of the first bytes.
  case identityRefused(TLSAlert)
  /// The connection broke; the text is libcurl's or OpenSSL's and untrusted.
  case broken(String)
}

/// The events that ended a wait.
public struct ChannelReadiness: OptionSet, Sendable {
  /// The raw bits.
  public let rawValue: Int
  /// The raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Bytes may have arrived, or the channel has failed.
  public static let readable = ChannelReadiness(rawValue: 1)
  /// There is room to send.
  public static let writable = ChannelReadiness(rawValue: 2)
  /// Another thread woke the waiting one.
  public static let woken = ChannelReadiness(rawValue: 4)
}
