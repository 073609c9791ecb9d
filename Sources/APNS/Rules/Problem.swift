import JSONText

/// How bad a broken rule is.
public enum Severity: String, Sendable, Hashable, CaseIterable {
  /// The notification is not sent without force.
  case error
  /// It is sent, and the user is told.
  case warning
}

/// A broken rule: where, which one, and what to do.
public struct Problem: Sendable, Hashable {
  /// How bad it is.
  public let severity: Severity
  /// The identifier of the ``Rule``.
  public let rule: String
  /// The part of the notification it is about.
  public let place: Place
  /// Where that part was written; nil when it was not written anywhere.
  public let origin: Origin?
  /// What is wrong: one sentence. Text out of the notification is quoted and safe to print.
  public let message: String
  /// What to do: one sentence.
  public let fix: String
  /// What APNs answers to it; nil when it answers nothing, which is often the worst case.
  public let reason: Reason?
  /// Whether `--force` sends the notification all the same.
  public let isForceable: Bool

  /// A broken rule. Rules make their own problems; this is for checks that are not about a draft,
  /// such as a scenario's keys.
  public init(
    _ severity: Severity, rule: String, at place: Place, from origin: Origin? = nil,
    message: String, fix: String, reason: Reason? = nil, isForceable: Bool = true
  ) {
    self.severity = severity
    self.rule = rule
    self.place = place
    self.origin = origin
    self.message = message
    self.fix = fix
    self.reason = reason
    self.isForceable = isForceable
  }

  /// The name of the file; nil when it is not in a file.
  public var file: String? { origin?.file }
  /// The line, from 1; nil when it is not known.
  public var line: Int? { origin?.position?.line }
  /// The column, from 1; nil when it is not known.
  public var column: Int? { origin?.position?.column }
}

/// The problems of a draft that cannot be sent: the errors, and the warnings beside them.
public struct BrokenRules: Error, Sendable, Hashable {
  /// Every problem, in the order of the rules.
  public let problems: [Problem]

  /// These problems.
  public init(_ problems: [Problem]) { self.problems = problems }
}
