/// How far a run has come.
public enum RunState: String, Sendable, Hashable, CaseIterable {
  /// It is being sent, or its process was killed.
  case running
  /// It was stopped before its lists were read to the end.
  case interrupted
  /// Its lists were read to the end, and each push has a result.
  case finished
}

/// What made a run. An open set: a newer version of this tool may have made others.
public struct RunKind: RawRepresentable, Sendable, Hashable {
  /// The word in the history.
  public let rawValue: String

  /// A kind by its word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `fanfare send`.
  public static let send = RunKind(rawValue: "send")
  /// A step of `fanfare run`.
  public static let scenario = RunKind(rawValue: "scenario")
  /// `fanfare history resend`.
  public static let resend = RunKind(rawValue: "resend")
}
