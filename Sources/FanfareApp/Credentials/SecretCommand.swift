internal import Credentials
internal import POSIX
internal import PlainText

/// A program that prints a secret. It is run without a shell; it has no standard input, and its
/// standard error is this program's.
struct SecretCommand {
  /// The longest that it may take, in seconds. Somebody may have to confirm it.
  static let patience = 60
  /// The most that it may print, in bytes.
  static let limit = 65_536

  private let words: [String]
  private let purpose: String

  /// - Parameters:
  ///   - words: the program, of which there is at least the name, and its arguments.
  ///   - purpose: what it prints, such as `key`.
  init(_ words: [String], for purpose: String) {
    self.words = words
    self.purpose = purpose
  }

  /// Runs it to its end.
  ///
  /// - Parameter patience: how many seconds it may take.
  func output(_ context: Context, patience: Int = patience) throws(Failure) -> SecretBytes {
    context.errors.flush()
    do throws(SecretCommandFault) {
      guard let name = words.first, let path = Self.path(of: name, context.environment) else {
        throw .missing
      }
      return try Self.output(of: path, words, RunningCommand.Deadline(seconds: patience))
    } catch {
      let (what, fix) = error.sentences(words.first ?? "", purpose)
      throw Failure(what, fix: fix, .connection, cause: error)
    }
  }

  private static func output(
    of path: String, _ words: [String], _ deadline: RunningCommand.Deadline
  ) throws(SecretCommandFault) -> SecretBytes {
    let command = try RunningCommand(path, words)
    let output = try command.read(limit: limit, until: deadline)
    let status = try command.end(before: deadline)
    if status != 0 { throw .status(status) }
    if output.count == 0 { throw .empty }
    return output
  }

  /// Whether there is such a program.
  static func isThere(_ words: [String], _ environment: [String: String]) -> Bool {
    words.first.flatMap { path(of: $0, environment) } != nil
  }

  /// A program by its whole path, or by its name in a folder of `PATH`.
  private static func path(of name: String, _ environment: [String: String]) -> String? {
    // What lies in the folder that somebody happens to be in is not the user's own.
    if name.contains("/") { return name.hasPrefix("/") && access(name, X_OK) == 0 ? name : nil }
    return Subprocess(named: name, in: environment).flatMap {
      $0.path.hasPrefix("/") ? $0.path : nil
    }
  }
}

/// Why a program printed no secret.
enum SecretCommandFault: Error, Equatable {
  /// There is no such program.
  case missing
  /// The system refuses it, with this `errno`.
  case system(Int32)
  /// It ended with this exit status; of a program that a signal ended, 128 and the signal.
  case status(Int32)
  /// It printed nothing.
  case empty
  /// It printed more than so many bytes.
  case tooLong(limit: Int)
  /// It had not ended after so many seconds, and was killed.
  case late(seconds: Int)
}

extension SecretCommandFault {
  /// Why a program printed no secret, and what to do.
  func sentences(_ program: String, _ purpose: String) -> (what: String, fix: String) {
    let subject = "The command \(program.printable) for the \(purpose)"
    return switch self {
    case .missing:
      ("\(subject) was not found.", "Write its full path, or install it in a folder of PATH.")
    case .system(let code):
      ("\(subject) cannot be run: \(systemMessage(code)).", "Check the program.")
    case .status(let status):
      (
        "\(subject) ended with status \(status).",
        "Its standard error is above; run it by hand to see more."
      )
    case .empty: ("\(subject) printed nothing.", "Run it by hand: it has to print the \(purpose).")
    case .tooLong(let limit):
      (
        "\(subject) printed more than \(grouped(limit)) bytes.",
        "Have it print the \(purpose) alone."
      )
    case .late(let seconds):
      ("\(subject) did not end within \(counted(seconds, "second")).", "Run it by hand first.")
    }
  }
}
