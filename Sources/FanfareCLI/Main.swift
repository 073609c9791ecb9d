internal import CProcess
internal import CommandLineKit
internal import HTTP2
internal import POSIX
internal import Reporting
internal import Runs
internal import Scenarios
internal import Settings
internal import Tools

/// Parses the command line, runs the command, and exits with its code.
@main
enum Main {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    // Make exceeding the file size limit a failed write, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    openMissingStreams()
    OpenFiles.raiseLimit()
    let environment = ProcessFacts.environmentWithHome
    let line = Result { () throws(ArgumentFault) in CommonLine(try Arguments.words()) }
    let (color, hyperlink) = (try? line.get()).map { ($0.color, $0.hyperlink) } ?? (.auto, .auto)
    func output(_ descriptor: Int32) -> Output {
      Output(
        descriptor: descriptor, environment: environment, color: color, hyperlink: hyperlink)
    }
    let context = Context(
      environment: environment,
      output: output(STDOUT_FILENO), errors: output(STDERR_FILENO), terminal: Terminal(),
      clock: .system,
      configuration: Configuration(
        folder: ProcessFacts.workingFolder, environment, named: (try? line.get())?.config))
    context.keepMarks()
    let code = context.teller.show(report(of: line, context))
    // Skip `exit` handlers: another thread may still be in OpenSSL, opening a connection or
    // resolving a name, and they would unload it.
    _exit(context.finish(after: code).rawValue)
  }

  /// Opens closed standard streams, whose descriptors would otherwise go to the next files opened.
  private static func openMissingStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
    }
  }

  /// Refuses to run without readable arguments.
  private static func report(
    of line: Result<CommonLine, ArgumentFault>, _ context: Context
  ) -> Report {
    do throws(ArgumentFault) {
      return report(of: try line.get(), context)
    } catch {
      return refusal(error.message)
    }
  }

  private static func refusal(_ message: String) -> Report {
    let lines = "fanfare: \(message)".split(separator: "\n").map { StyledText(String($0)) }
    return Report(.usage).followed(by: [.lines(lines)])
  }

  /// The maximum columns of help: longer lines are hard to read.
  private static let widestHelp = 100

  private static func report(of line: CommonLine, _ context: Context) -> Report {
    var tool = fanfareTool()
    tool.home = context.home
    var path = [tool.name]
    do {
      if let problem = line.problem { throw UsageError(problem, path: path) }
      switch try tool.parse(line.words, width: min(context.teller.data.width, widestHelp)) {
      case .help(let text, let isWhole):
        return isWhole ? Pager(context).show(text) : Report(parts: [.source(text)])
      case .version: return Report(parts: [.source(versionText)])
      case .run(let command, let words):
        path = words
        guard let command = command as? any FanfareCommand else { return Report(.usage) }
        if case .stack(let bytes)? = MemoryLimits.raised() {
          return refusal(
            "The stack of this process is limited to \(bytes / 1024) KiB.\n  Raise the limit: "
              + "ulimit -s \(MemoryLimits.stack / 1024)")
        }
        try context.checkAnswers()
        return try command.run(context)
      }
    } catch let failure as Failure {
      return context.report(failure, of: path)
    } catch {
      return refusal((error as? UsageError)?.message ?? "\(error)")
    }
  }
}

// Ending a command.
extension Context {
  /// Writes pending output. A full disk behind standard output must not look like success.
  ///
  /// - Parameter code: the command's exit code.
  /// - Returns: the process's exit code.
  fileprivate func finish(after code: ExitCode) -> ExitCode {
    do throws(FileFailure) {
      try teller.finish()
      return code
    } catch {
      let lost = Failure.lostOutput(error, after: code)
      teller.warn(lost)
      return lost.exitCode
    }
  }

  /// The report of a command's failure.
  ///
  /// - Parameter path: the words that name the command, starting with the tool's.
  fileprivate func report(_ failure: Failure, of path: [String]) -> Report {
    let report = Report(failure.exitCode)
    if case .usage(let sentence) = failure.content {
      return report.followed(by: [
        .lines([
          "fanfare: \(sentence)",
          .verbatim("See '\(path.joined(separator: " ")) --help'."),
        ])
      ])
    }
    let canDoWithoutHistory = ["send", "run"].contains(path.dropFirst().first)
    return report.followed(
      by: failure.parts(canDoWithoutHistory: canDoWithoutHistory)
        + annotations(of: failure.problems))
  }
}

/// The command line after the program's name.
enum Arguments {
  /// Reads the words.
  ///
  /// - Throws: `ArgumentFault`. Swift itself finds no words if there is no `/proc`, or if a library
  ///   has moved the environment.
  static func words() throws(ArgumentFault) -> [String] {
    let words = try given()
    guard words == [HandedWords.argument] else { return words }
    guard let handed = HandedWords.read() else { throw .notHanded }
    return handed
  }

  private static func given() throws(ArgumentFault) -> [String] {
    let count = fanfare_argument_count()
    if count > 0 { return try texts(of: (1..<max(1, count)).map { fanfare_argument($0) }) }
    if CommandLine.argc == 0 { throw .notFound }
    let places = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return try texts(of: places.dropFirst().map { $0.map { UnsafePointer($0) } })
  }

  /// Converts the words strictly: invalid UTF-8, if repaired, could name another file.
  private static func texts(of places: [UnsafePointer<CChar>?]) throws(ArgumentFault) -> [String] {
    var words: [String] = []
    for place in places.compactMap(\.self) {
      guard let word = String(validatingCString: place) else {
        throw .notUTF8(number: words.count + 1)
      }
      words.append(word)
    }
    return words
  }
}

/// The reason the command line cannot be read.
enum ArgumentFault: Error {
  case notFound
  case notHanded
  /// Counted from 1, without the program's name.
  case notUTF8(number: Int)

  var message: String {
    switch self {
    case .notFound: "The command line cannot be read. Is /proc mounted?"
    case .notHanded: "No command line was handed over at \(HandedWords.argument.dropFirst())."
    case .notUTF8(let number):
      "Argument \(number) is not UTF-8 text. Check the terminal's encoding, or rename the file."
    }
  }
}

extension WhenChoice: ArgumentValue {
  // Common to all commands.
  static let color = CommonOption<Self>(
    "color", value: "WHEN", defaultText: Self.auto.rawValue,
    help: "When to use colors; 'auto' does on a terminal.")
  static let hyperlink = CommonOption<Self>(
    "hyperlink", value: "WHEN", defaultText: Self.auto.rawValue,
    help: "When to make links of files, rules and reasons; 'auto' does on a terminal.")
}

extension Configuration {
  /// The option, common to all commands.
  static let option = CommonOption<String>(
    "config", value: "FILE", help: "The file of profiles to use in place of fanfare.json.",
    completion: .file, environment: EnvironmentVariable.config.rawValue)
}

/// The command line without the common options, and their values.
struct CommonLine {
  private(set) var words: [String]
  private(set) var color = WhenChoice.auto
  private(set) var hyperlink = WhenChoice.auto
  /// The file of `--config`; nil if not given.
  private(set) var config: String?
  /// The error in the options; nil for none.
  private(set) var problem: UsageProblem?

  init(_ words: [String]) {
    self.words = words
    do {
      color = try WhenChoice.color.take(from: &self.words) ?? .auto
      hyperlink = try WhenChoice.hyperlink.take(from: &self.words) ?? .auto
      config = try Configuration.option.take(from: &self.words)
    } catch {
      problem = error
    }
  }
}
