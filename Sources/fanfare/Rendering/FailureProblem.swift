internal import APNS
internal import PushCore

extension Problem {
  /// A failure as a problem of a file, for a command that goes on with the next file.
  init(_ failure: Failure, in file: String) {
    let (message, fix) = Self.sentences(failure)
    self.init(
      .error, rule: failure.rule, at: .other(failure.rule), from: .file(file), message: message,
      fix: fix, isForceable: false)
  }

  /// A failure as problems of a file; those that it holds stay as they are.
  static func all(of failure: Failure, in file: String) -> [Problem] {
    if case .problems(let problems) = failure { return problems }
    return [Problem(failure, in: file)]
  }

  /// A file whose name does not tell what it contains.
  static func unknownKind(of file: String) -> Problem {
    Problem(
      .error, rule: "file-kind", at: .other("file"), from: .file(file),
      message: "The name does not tell what the file contains.",
      fix:
        "Give a payload (.json, .apns), a scenario (.json5), a list (.txt, .csv, .jsonl) or a folder.",
      isForceable: false)
  }

  /// The problem with the name of the file it is about, when it was written in no file.
  func placed(in file: String) -> Problem {
    if origin?.file != nil { return self }
    var origin = origin ?? .file(file)
    origin.file = file
    return Problem(
      severity, rule: rule, at: place, from: origin, message: message, fix: fix, reason: reason,
      isForceable: isForceable)
  }

  private static func sentences(_ failure: Failure) -> (what: String, fix: String) {
    if case .list(let error) = failure { return (error.sentence, error.fix) }
    return FailureText.sentences(failure)
  }
}

extension Failure {
  /// What stands in a rule's place.
  fileprivate var rule: String {
    switch self {
    case .list: "list"
    case .badIdentifier, .missingIdentifier: "credentials"
    case .profile: "profile"
    default: "file"
    }
  }
}

extension Problem {
  /// A variable for which no recipient of a step can have a value.
  static func unfilled(_ variable: String, in step: ScenarioStep) -> Problem {
    Problem(
      .error, rule: "placeholder-unfilled", at: .other("variables"), from: step.origin,
      message:
        "Nothing fills {{\(variable)}}: the recipients are plain device tokens, without variables.",
      fix: "Add it to 'variables', or give it a default.", isForceable: false)
  }
}
