internal import APNS
internal import PushModel

extension Problem {
  /// A failure as a problem of a file, for a command that goes on with the next file.
  init(_ failure: Failure, in file: String) {
    // The file is named already.
    let message = (failure.cause as? ListError)?.sentence ?? failure.sentence
    self.init(
      .error, rule: failure.rule, at: .other(failure.rule), from: .file(file), message: message,
      fix: failure.fix, isForceable: false)
  }

  /// A failure as problems of a file; those that it holds stay as they are.
  static func all(of failure: Failure, in file: String) -> [Problem] {
    if case .problems(let problems) = failure.content { return problems }
    return [Problem(failure, in: file)]
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
}
