/// How a server session departs from what is usual, for tests of clients. The default departs in
/// nothing.
public struct ServerSessionOptions: Sendable, Hashable {
  /// Whether PING frames are acknowledged (RFC 9113 section 6.7).
  public var acknowledgesPings = true

  /// Whether the flow-control windows are refilled as bodies arrive. Without it a connection takes
  /// 65,535 bytes of bodies and then nothing more, until `enlargeWindow` is called.
  public var refillsWindows = true

  /// How many bytes of padding each HEADERS and DATA frame carries, at most 255.
  public var padding = 0

  /// The default.
  public init() {}
}
