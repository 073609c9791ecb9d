import JSONText

/// The severity of a broken rule.
public enum Severity: String, Sendable, Hashable, CaseIterable {
  /// The notification is not sent without force.
  case error
  /// The notification is sent, with a warning to the user.
  case warning
}

extension Severity: JSONWord {}

/// A broken rule: its place, the rule, and the fix.
public struct Problem: Sendable, Hashable {
  /// The severity.
  public let severity: Severity
  /// The identifier of the ``Rule``.
  public let rule: String
  /// The part of the notification at fault.
  public let place: Place
  /// The source of that part; nil if it is missing.
  public let origin: Origin?
  /// The problem, in one sentence. Text from the notification is quoted and safe to print.
  public let message: String
  /// The fix, in one sentence.
  public let fix: String
  /// APNs' answer to it; nil if APNs returns no error, which is often the worst case.
  public let reason: Reason?
  /// True if `--force` sends the notification anyway.
  public let isForceable: Bool

  /// Creates a problem. Rules create their own; this is for checks that do not concern a draft,
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

  /// The name of the file; nil if the part is not from a file.
  public var file: String? { origin?.file }
  /// The line, from 1; nil if unknown.
  public var line: Int? { origin?.position?.line }
  /// The column, from 1; nil if unknown.
  public var column: Int? { origin?.position?.column }
}

/// The problems of a draft that cannot be sent: its errors, along with any warnings.
public struct BrokenRules: Error, Sendable, Hashable {
  /// All problems, in the order of the rules.
  public let problems: [Problem]

  /// Creates an error from problems.
  public init(_ problems: [Problem]) { self.problems = problems }
}
