/// What a push does to a Live Activity: the value of `aps.event`.
public enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
  /// Starts one, since iOS 17.2; sent to a push-to-start token.
  case start
  /// Shows a new state.
  case update
  /// Ends it, with a last state.
  case end
}
