package import APNS
internal import PlainText
internal import PushModel

/// Describes in one sentence each what is wrong and what to do about it. Both are safe to print.
package protocol Described {
  var sentence: String { get }
  var fix: String { get }
}

/// The reason a command did not do its work, and the exit code that goes with it.
///
/// Each feature defines its own beside its code, as `static` members: `throw .noRecipients`.
package struct Failure: Error, Described {
  package enum Content {
    case message(String, fix: String)
    /// A sentence about arguments that are missing or do not go together.
    case usage(String)
    /// The notification, a payload or a scenario breaks rules.
    case problems([Problem])
    case several([Failure])
  }

  package let content: Content
  package let exitCode: ExitCode
  /// The underlying error; nil when there is none.
  private let cause: (any Error)?
  /// The rule under which `check` reports this failure as a problem.
  let rule: String
  /// The fix to show when the command can send without a history; nil when it is the same.
  let fixWhenSending: String?
  /// What programs read besides the sentence; empty when there is no more to say.
  package let data: [Report.Part]

  package init(
    _ sentence: String, fix: String, _ exitCode: ExitCode = .usage, cause: (any Error)? = nil,
    rule: String = "file", fixWhenSending: String? = nil, data: [Report.Part] = []
  ) {
    self.data = data
    content = .message(sentence, fix: fix)
    (self.exitCode, self.cause, self.rule) = (exitCode, cause, rule)
    self.fixWhenSending = fixWhenSending
  }

  private init(_ content: Content, _ exitCode: ExitCode = .usage) {
    (self.content, self.exitCode) = (content, exitCode)
    (cause, rule, fixWhenSending, data) = (nil, "file", nil, [])
  }

  package static func problems(_ problems: [Problem]) -> Failure { Failure(.problems(problems)) }

  /// Combines failures, with the most important of their exit codes.
  package static func several(_ failures: [Failure]) -> Failure {
    Failure(.several(failures), .merged(failures.map(\.exitCode)))
  }
}

/// Evaluates the expression, and turns an error it throws into a failure.
package func attempt<Value: ~Copyable, Fault: Error>(
  _ expression: @autoclosure () throws(Fault) -> Value, _ failure: (Fault) -> Failure
) throws(Failure) -> Value {
  do throws(Fault) { return try expression() } catch { throw failure(error) }
}

extension Failure {
  /// The underlying error, if it is of this type, for callers that recover from some errors.
  package func cause<Fault: Error>(_ kind: Fault.Type) -> Fault? { cause as? Fault }
}

// Descriptions.
extension Failure {
  /// A one-line description.
  package var sentence: String {
    switch content {
    case .message(let sentence, _), .usage(let sentence): sentence
    case .problems(let problems): problems.map(\.message).joined(separator: " ")
    case .several(let failures): failures.map(\.sentence).joined(separator: " ")
    }
  }

  package var fix: String {
    switch content {
    case .message(_, let fix): fix
    case .usage: "See --help."
    case .problems(let problems): problems.map(\.fix).joined(separator: " ")
    case .several(let failures): failures.map(\.fix).joined(separator: " ")
    }
  }

  /// The broken rules; empty for any other kind of failure.
  package var problems: [Problem] {
    switch content {
    case .problems(let problems): problems
    case .several(let failures): failures.flatMap(\.problems)
    case .message, .usage: []
    }
  }

  /// The failure with the file's name before its sentence. Broken rules already name their files.
  package func named(_ file: String) -> Failure {
    guard case .message(let sentence, let fix) = content else { return self }
    return Failure(
      "\(file.printable): \(sentence)", fix: fix, exitCode, cause: cause, rule: rule,
      fixWhenSending: fixWhenSending)
  }

  /// The parts to print on standard error: each sentence with its fix below it.
  ///
  /// - Parameter canDoWithoutHistory: whether the command sends, and can do so without a history.
  package func parts(canDoWithoutHistory: Bool = false) -> [Report.Part] {
    switch content {
    case .message, .usage: [.failure(sentence, canDoWithoutHistory ? fixWhenSending ?? fix : fix)]
    case .problems(let problems): [.problems(key: "problems", problems)]
    case .several(let failures):
      failures.flatMap { $0.parts(canDoWithoutHistory: canDoWithoutHistory) }
    }
  }

  /// The lines without indentation and colors.
  package var lines: [String] {
    if case .message(let sentence, let fix) = content { return [sentence, fix] }
    return ReportText().text(of: parts()).split(separator: "\n").map { line in
      String(line.drop { $0 == " " })
    }
  }
}

extension Report {
  /// The same report with a failure after it, which did not keep the command from its work.
  package func followed(by failure: Failure?) -> Report {
    guard let failure else { return self }
    return followed(by: failure.parts()).merging(.failure)
  }
}

extension Report.Part {
  package static func failure(_ sentence: String, _ fix: String) -> Self {
    .lines(["fanfare: \("error:", .bad) \(sentence)", fix.asFix])
  }

  package static func warning(_ sentence: String, _ fix: String) -> Self {
    .lines(["fanfare: \("warning:", .doubtful) \(sentence)", fix.asFix])
  }
}

extension String {
  /// A fix below a sentence. What does not end as a sentence is a command to copy.
  fileprivate var asFix: StyledText { hasSuffix(".") ? "  \(self)" : .verbatim("  " + self) }
}

// Command lines that cannot be used.
extension Failure {
  /// A sentence that is safe to print.
  package static func usage(_ sentence: String) -> Failure { Failure(.usage(sentence)) }

  /// Two options, with their values where these matter, exclude each other.
  package static func conflict(_ one: String, _ other: String) -> Failure {
    .usage("'\(one.printable)' and '\(other.printable)' cannot be used together.")
  }

  /// One of the options, each with its value, must be given.
  package static func missingOption(_ options: String...) -> Failure {
    .usage(options.map { "'\($0)'" }.joined(separator: " or ") + " is required.")
  }

  /// A required argument is missing.
  package static func missingArgument(_ name: String) -> Failure {
    .usage("Missing argument \(name).")
  }

  /// The command line has one word more than the command takes.
  package static func unexpectedArgument(_ word: String) -> Failure {
    .usage("Unexpected argument '\(word.printable)'.")
  }

  /// An option names a file to write that the command also uses for something else.
  package static func overwrites(option: String, path: String) -> Failure {
    Failure(
      "\(option) would overwrite \(path.printable), which this command uses for something else.",
      fix: "Give \(option) a file of its own.")
  }
}

extension Failure {
  package static func file(_ failure: FileFailure, _ code: ExitCode = .usage) -> Failure {
    Failure(failure.sentence, fix: failure.fix, code, cause: failure)
  }

  /// Results or other output were lost. The work itself was done and would have ended with `code`.
  package static func lostOutput(_ failure: FileFailure, after code: ExitCode) -> Failure {
    .file(failure, .merged([code, .failure]))
  }

  /// A setting has an unusable value. `expected` says what it should be.
  package static func badSetting(name: String, text: String, expected: String) -> Failure {
    let what = text.isEmpty ? "is not set" : "cannot be '\(text.prefix(60).printable)'"
    return Failure("\(name.printable) \(what).", fix: "Give \(expected).")
  }
}

extension Problem {
  /// Turns a failure into a problem of a file, for a command that continues with the next file.
  package init(_ failure: Failure, in file: String) {
    // The file is named already.
    let message = failure.cause(ListError.self)?.sentence ?? failure.sentence
    self.init(
      .error, rule: failure.rule, at: .other(failure.rule), from: .file(file), message: message,
      fix: failure.fix, isForceable: false)
  }

  /// Turns a failure into problems of a file; problems that it already holds are kept as they are.
  package static func all(of failure: Failure, in file: String) -> [Problem] {
    if case .problems(let problems) = failure.content { return problems }
    return [Problem(failure, in: file)]
  }

  /// The problem with the name of the file it is about, unless it already names one.
  package func placed(in file: String) -> Problem {
    if origin?.file != nil { return self }
    var origin = origin ?? .file(file)
    origin.file = file
    return Problem(
      severity, rule: rule, at: place, from: origin, message: message, fix: fix, reason: reason,
      isForceable: isForceable)
  }
}

/// Runs a body that checks rules, and returns its result.
///
/// - Throws: `Failure.problems` with the broken rules.
package func passing<Value>(_ body: () throws(BrokenRules) -> Value) throws(Failure) -> Value {
  try attempt(try body()) { (error: BrokenRules) in .problems(error.problems) }
}
