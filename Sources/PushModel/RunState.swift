/// How far a run has come.
public enum RunState: String, Sendable, Hashable, CaseIterable {
  /// It is being sent, or its process was killed.
  case running
  /// It was stopped before its lists were read to the end.
  case interrupted
  /// Its lists were read to the end, and each push has a result.
  case finished
  /// Its lists are being read into the queue, or the process that did it was killed.
  case enqueuing
  /// All its pushes are in the queue, and workers send them.
  case enqueued

  /// Whether only workers send its pushes.
  public var isInQueue: Bool { self == .enqueuing || self == .enqueued }
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
