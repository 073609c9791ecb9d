import JSONText
import PlainText

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
  package let severity: Severity
  /// The identifier of the rule.
  public let rule: String
  /// The part of the notification at fault.
  package let place: ProblemPlace
  /// The source of that part; nil if it is missing.
  package let origin: Origin?
  /// The problem, in one sentence. Text from the notification is quoted and safe to print.
  public let message: String
  /// The fix, in one sentence.
  public let fix: String
  /// APNs' answer to it; nil if APNs returns no error, which is often the worst case.
  public let reason: Reason?
  /// True if the notification can be sent anyway, with force.
  package let isForceable: Bool

  /// Creates a problem. Rules create their own; this is for checks that do not concern a draft,
  /// such as a scenario's keys.
  package init(
    _ severity: Severity, rule: String, at place: ProblemPlace, from origin: Origin? = nil,
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
  package var file: String? { origin?.file }
  /// The line, from 1; nil if unknown.
  public var line: Int? { origin?.position?.line }
  /// The column, from 1; nil if unknown.
  public var column: Int? { origin?.position?.column }
}

/// The problems of a draft that cannot be sent: its errors, along with any warnings.
public struct BrokenRules: Error, Sendable, Hashable, CustomStringConvertible {
  /// All problems, in the order of the rules.
  public let problems: [Problem]

  /// Creates an error from problems.
  package init(_ problems: [Problem]) { self.problems = problems }

  /// The errors, a line each, with their fixes.
  public var description: String {
    problems.filter { $0.severity == .error }.map { "\($0.place): \($0.message) \($0.fix)" }
      .joined(separator: "\n")
  }
}

/// One place where a draft breaks a rule.
public struct Finding: Sendable, Hashable {
  /// The part of the notification.
  public let place: ProblemPlace
  /// The source of that part; nil if it is missing.
  public let origin: Origin?
  /// The problem, in one sentence.
  public let message: String
  /// The fix; nil to use the rule's own.
  public let fix: String?

  /// Creates a finding.
  public init(
    _ place: ProblemPlace, from origin: Origin? = nil, _ message: String, fix: String? = nil
  ) {
    self.place = place
    self.origin = origin
    self.message = message
    self.fix = fix
  }
}

extension Finding {
  init(_ field: DraftField, _ message: String, fix: String? = nil) {
    self.init(.header(field.name), from: field.origin, message, fix: fix)
  }

  /// A finding about the bundle ID in the path of a push to a channel; nil if that is missing.
  init(bundleID: DraftField?, _ message: String, fix: String? = nil) {
    self.init(.other(Draft.appField), from: bundleID?.origin, message, fix: fix)
  }

  init(missing name: HeaderName, _ message: String, fix: String? = nil) {
    self.init(.header(name.text), message, fix: fix)
  }
}

extension DraftPayload {
  /// A finding about a value of this payload.
  func finding(
    _ path: PayloadPath, _ value: JSON?, _ message: String, fix: String? = nil
  ) -> Finding {
    finding(path, at: value?.position, message, fix: fix)
  }

  func finding(
    _ path: PayloadPath, at position: JSONPosition? = nil, _ message: String,
    fix: String? = nil
  ) -> Finding {
    let isPlaced = file != nil || position != nil
    let origin = isPlaced ? Origin.file(file, at: position) : nil
    return Finding(.payload(path), from: origin, message, fix: fix)
  }
}

/// The part of a notification that a problem is about.
public enum ProblemPlace: Sendable, Hashable, CustomStringConvertible {
  /// The header of this name.
  case header(String)
  /// The value at this path in the payload; the empty path is the whole payload.
  case payload(PayloadPath)
  /// Anything else, by a path that the caller defines, such as `recipients[2]`.
  case other(String)

  /// The place as text: `header apns-priority`, `aps.sound.volume`, or `payload` for all of it.
  public var description: String {
    switch self {
    case .header(let name): "header " + printable(name)
    case .payload(let path): path.steps.isEmpty ? "payload" : path.description
    case .other(let path): path.printable
    }
  }
}
