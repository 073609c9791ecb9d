/// A GOAWAY frame: the peer accepts no new streams on this connection (RFC 9113 section 6.8).
public struct GoAway: Sendable, Hashable {
  /// The highest stream that the peer may have processed. Streams above it were not processed.
  public var lastStream: Int32

  /// The error code; 0 for a graceful shutdown.
  public var errorCode: UInt32

  /// The debug data, of which at most 4,096 bytes are kept. APNs puts a JSON object with a `reason`
  /// here.
  public var debugData: [UInt8]

  /// Creates a GOAWAY frame.
  public init(lastStream: Int32, errorCode: UInt32 = 0, debugData: [UInt8] = []) {
    self.lastStream = lastStream
    self.errorCode = errorCode
    self.debugData = debugData
  }
}
