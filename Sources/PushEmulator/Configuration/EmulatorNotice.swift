/// A problem that keeps a client from being served, reported once per connection and kind.
public struct EmulatorNotice: Sendable, Hashable {
  /// The connection's number; the emulator's first one is 1.
  public let connection: Int
  /// The problem, in one sentence.
  public let text: String
  /// The fix, in one sentence.
  public let fix: String

  static func refusedStreams(_ count: Int, limit: Int, connection: Int) -> EmulatorNotice {
    EmulatorNotice(
      connection: connection,
      text: "Connection \(connection): \(count == 1 ? "1 stream was" : "\(count) streams were") "
        + "refused. As Apple documents, \(limit) may be open until the first valid provider token.",
      fix:
        "Have the client read SETTINGS first, or start the emulator with --streams-at-start 1000.")
  }

  static func refusedToken(_ fault: TokenFault, connection: Int) -> EmulatorNotice {
    EmulatorNotice(
      connection: connection,
      text: "Connection \(connection): the provider token is refused: \(fault.rawValue).",
      fix: fault.fix)
  }
}
