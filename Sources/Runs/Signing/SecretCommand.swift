internal import Credentials
internal import POSIX
internal import PlainText
internal import Reporting
internal import Settings

/// A program that prints a secret. It runs without a shell and without standard input, and shares
/// standard error with this program.
struct SecretCommand {
  /// The limit for the output, in bytes.
  private static let limit = 65_536

  /// The program, by its full path or its name, and its arguments.
  let words: [String]
  /// The expected output, such as `key`.
  let purpose: String

  /// - Parameter patience: the time limit in seconds; a person may have to confirm.
  func output(_ context: Context, patience: Int = 60) throws(Failure) -> SecretBytes {
    do throws(SecretCommandFault) {
      guard let path = Self.path(of: words, context.environment) else { throw .missing }
      let command = try RunningCommand(path, words, patience: patience)
      let output = try command.read(limit: Self.limit)
      let status = try command.end()
      if status != 0 { throw .status(status) }
      if output.count == 0 { throw .empty }
      return output
    } catch {
      let (what, fix) = error.sentences(words.first ?? "", purpose)
      throw Failure(what, fix: fix, .connection, cause: error)
    }
  }

  /// The program's path; nil when it cannot be run. The current folder is never searched.
  static func path(of words: [String], _ environment: [String: String]) -> String? {
    guard let name = words.first else { return nil }
    let path = name.contains("/") ? name : Subprocess(named: name, in: environment)?.path
    return path.flatMap { $0.hasPrefix("/") && access($0, X_OK) == 0 ? $0 : nil }
  }
}

/// The reason a program supplied no secret.
enum SecretCommandFault: Error, Equatable {
  case missing
  /// It could not be started; the `errno`.
  case system(Int32)
  /// The exit status; 128 plus the signal for a program that a signal ended.
  case status(Int32)
  case empty
  case tooLong(limit: Int)
  /// It exceeded the time limit and was killed.
  case late(seconds: Int)

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

/// A running program whose standard output is read. It is killed and reaped with this object.
private final class RunningCommand {
  private let id: pid_t
  private let output: Int32
  private let patience: Int
  private let deadline: ContinuousClock.Instant
  private var hasEnded = false

  /// - Parameters:
  ///   - words: its name and arguments.
  ///   - patience: the time limit in seconds.
  init(_ path: String, _ words: [String], patience: Int) throws(SecretCommandFault) {
    guard let ends = PipeEnds() else { throw .system(errno) }
    defer { close(ends.writing) }
    let (id, code) = spawn(
      path, words, reading: nil, writing: ends.writing, errors: nil)
    if code != 0 {
      close(ends.reading)
      throw .system(code)
    }
    (self.id, output, self.patience) = (id, ends.reading, patience)
    deadline = .now + .seconds(patience)
  }

  deinit {
    close(output)
    if hasEnded { return }
    kill(id, SIGKILL)
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  /// Reads the output directly into memory that is wiped later.
  func read(limit: Int) throws(SecretCommandFault) -> SecretBytes {
    try SecretBytes(capacity: limit + 1) { (buffer) throws(SecretCommandFault) in
      var count = 0
      while count <= limit {
        try waitForOutput()
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let got = POSIX.read(output, room.baseAddress, room.count)
        if got < 0, errno != EINTR { throw .system(errno) }
        if got == 0 { return count }
        count += max(0, got)
      }
      throw .tooLong(limit: limit)
    }
  }

  /// The exit status; 128 plus the signal for a program that a signal ended.
  func end() throws(SecretCommandFault) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, WNOHANG) != id {
      if millisecondsLeft == 0 { throw .late(seconds: patience) }
      // Most programs exit soon after closing their output.
      poll(nil, 0, 5)
    }
    hasEnded = true
    return exitStatus(status)
  }

  private func waitForOutput() throws(SecretCommandFault) {
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let count = poll(&waiting, 1, millisecondsLeft)
    if count == 0 { throw .late(seconds: patience) }
    if count < 0, errno != EINTR { throw .system(errno) }
  }

  private var millisecondsLeft: Int32 {
    Int32(clamping: Int(max(0, (deadline - .now) / .milliseconds(1))))
  }
}
