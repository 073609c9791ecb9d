internal import APNS
internal import JSONText
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import Settings

/// A checked file, or the options: contents and problems.
struct CheckedFile {
  /// The file as the user named it; nil for options.
  var file: String?
  /// The kind of its contents; nil if its name does not tell.
  var kind: FileKind?
  var problems: [Problem] = []
  /// The push type of a payload or scenario.
  var pushType: String?
  /// The length of a payload as sent, in bytes; nil if variables change it.
  var bytes: Int?
  /// The variables that every recipient of a payload or scenario needs.
  var variables: [String] = []
  var list: ListCheck?
  /// The scenario that names it; nil if the user did.
  var owner: String?
  /// A list that is yet to be read.
  var unread: RecipientSource?
  /// The templates that rows of lists fill.
  var fillings: [RowFilling] = []
  /// The rows of a list that was checked with it fill them, or are told to lack a variable.
  var isFilled = false
  /// An argument or option named the file; it was not found in a folder.
  var isNamed = false

  /// The number of errors, including bad lines and rows of a list that are only counted.
  var errors: Int { count(.error) + untoldBadLines + untoldBadRows }

  var warnings: Int { count(.warning) }

  /// The number of a list's bad lines that are not reported one by one.
  var untoldBadLines: Int { list.map { $0.counts.badLines - $0.badLines.count } ?? 0 }

  /// The number of a list's bad rows, which fill no payload, that are not reported one by one.
  var untoldBadRows: Int { list.map { ($0.badRowCount ?? 0) - $0.badRows.count } ?? 0 }

  /// Adds the results for another part of the file. Facts that differ between parts are dropped.
  mutating func add(_ part: CheckedFile, isFirst: Bool) {
    problems += part.problems.filter { !problems.contains($0) }
    variables += part.variables.filter { !variables.contains($0) }
    fillings += part.fillings
    pushType = isFirst || pushType == part.pushType ? part.pushType : nil
    bytes = isFirst || bytes == part.bytes ? part.bytes : nil
  }

  /// The file with its warnings as errors.
  var strict: CheckedFile {
    var file = self
    file.problems = problems.map(\.strict)
    return file
  }

  private func count(_ severity: Severity) -> Int { problems.count { $0.severity == severity } }
}

extension Problem {
  /// A line of a list that is not a recipient.
  init(_ line: BadLine, isShownWhole: Bool) {
    let isLong = line.text.count > 8 && !isShownWhole
    let shown = isLong ? "…" + line.text.suffix(8).printable : line.text.printable
    self.init(
      .error, rule: "bad-line", at: .other(shown),
      from: .file(line.list, at: JSONPosition(line: line.line, column: line.error.column)),
      message: "\(line.error.start): \(line.error.clause).",
      fix: line.fix(isShown: isShownWhole), isForceable: false)
  }

  static func unknownKind(of file: String) -> Problem {
    Problem(
      .error, rule: "file-kind", at: .other("file"), from: .file(file),
      message: "The name does not tell what the file contains.",
      fix:
        "Give a payload (.json, .apns), a scenario (.json5), a list (.txt, .csv, .jsonl) or a folder.",
      isForceable: false)
  }

  /// A device token of a step whose length is none of Apple's.
  static func oddToken(_ token: DeviceToken, in step: ScenarioStep) -> Problem {
    let recipient = step.recipients.first { $0.source?.tokens?.contains(token) ?? false }
    return Problem(
      .warning, rule: "token-length", at: .other("recipients"),
      from: recipient?.origin ?? step.origin,
      message: token.oddity.what, fix: token.oddity.fix, isForceable: false)
  }

  /// A variable for which no recipient of a step can have a value.
  static func unfilled(_ variable: String, in step: ScenarioStep) -> Problem {
    Problem(
      .error, rule: "placeholder-unfilled", at: .other("variables"), from: step.origin,
      message:
        "Nothing fills {{\(variable)}}: the recipients are plain device tokens, without variables.",
      fix: "Add it to 'variables', or give it a default.", isForceable: false)
  }
}

extension BadLine {
  /// The fix. Base64 is converted if device tokens may be shown.
  fileprivate func fix(isShown: Bool) -> String {
    guard error == .token(.looksLikeBase64) else { return "Correct the line, or remove it." }
    return DeviceToken.fix(ofBase64: text, isShown: isShown)
  }
}
