/// The state of a run.
public enum RunState: String, Sendable, Hashable, CaseIterable {
  /// Being sent, or its process was killed.
  case running
  /// Stopped before its lists were read to the end.
  case interrupted
  /// Complete: its lists were read to the end, and each push has a result.
  case finished
  /// Its lists are being read into the queue, or the process doing so was killed.
  case enqueuing
  /// All its pushes are in the queue, for workers to send.
  case enqueued

  /// Only workers send its pushes.
  public var isInQueue: Bool { self == .enqueuing || self == .enqueued }
}

/// The command that created a run. An open set: newer versions of this tool may add others.
public struct RunKind: RawRepresentable, Sendable, Hashable {
  /// The name in the history.
  public let rawValue: String

  /// Creates a kind from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `fanfare send`.
  public static let send = RunKind(rawValue: "send")
  /// A step of `fanfare run`.
  public static let scenario = RunKind(rawValue: "scenario")
  /// `fanfare history resend`.
  public static let resend = RunKind(rawValue: "resend")
}
