/// Deviations of a server session from the usual behavior, for tests of clients. The default has
/// none.
public struct ServerSessionOptions: Sendable, Hashable {
  /// Acknowledges PING frames (RFC 9113 section 6.7).
  public var acknowledgesPings = true

  /// Refills the flow-control windows as bodies arrive. Otherwise a connection accepts 65,535 body
  /// bytes, and no more until `enlargeWindow` is called.
  public var refillsWindows = true

  /// The number of padding bytes in each HEADERS and DATA frame, at most 255.
  public var padding = 0

  /// Creates the default options.
  public init() {}
}
