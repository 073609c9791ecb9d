/// A GOAWAY frame: the peer takes no new streams on this connection (RFC 9113 section 6.8).
public struct GoAway: Sendable, Hashable {
  /// The highest stream that the peer may have processed. Streams above it were not.
  public var lastStream: Int32

  /// The error code; 0 is a friendly goodbye.
  public var errorCode: UInt32

  /// What the peer wrote as debug data. APNs puts a JSON object with a `reason` here. At most
  /// 4,096 bytes are kept.
  public var debugData: [UInt8]

  /// A GOAWAY frame.
  public init(lastStream: Int32, errorCode: UInt32 = 0, debugData: [UInt8] = []) {
    self.lastStream = lastStream
    self.errorCode = errorCode
    self.debugData = debugData
  }
}
