internal import CommandLineKit
internal import HTTP2
internal import POSIX
internal import Reporting
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
    let environment = ProcessFacts.environment
    let line = Result { () throws(ArgumentFault) in ColoredLine(try Arguments.words()) }
    let color = (try? line.get())?.color ?? .auto
    let context = Context(
      environment: environment,
      output: Output(descriptor: STDOUT_FILENO, environment: environment, color: color),
      errors: Output(descriptor: STDERR_FILENO, environment: environment, color: color),
      clock: .system,
      configuration: Configuration(folder: ProcessFacts.workingFolder, environment))
    let code = run(line, context)
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
  private static func run(
    _ line: Result<ColoredLine, ArgumentFault>, _ context: Context
  ) -> ExitCode {
    do throws(ArgumentFault) {
      return run(try line.get(), context)
    } catch {
      context.errors.write("fanfare: \(error.message)\n")
      return .usage
    }
  }

  /// The maximum columns of help: longer lines are hard to read.
  private static let widestHelp = 100

  private static func run(_ line: ColoredLine, _ context: Context) -> ExitCode {
    var tool = fanfareTool()
    tool.home = context.home
    var path = [tool.name]
    do {
      if let problem = line.problem { throw UsageError(problem, path: path) }
      switch try tool.parse(line.words, width: min(context.output.width, widestHelp)) {
      case .help(let text): context.output.write(text)
      case .version: context.output.write(versionText)
      case .run(let command, let words):
        path = words
        guard let command = command as? any FanfareCommand else { return .usage }
        return try command.run(context)
      }
      return .success
    } catch let failure as Failure {
      return context.tell(failure, of: path)
    } catch {
      context.errors.write("fanfare: \((error as? UsageError)?.message ?? "\(error)")\n")
      return .usage
    }
  }
}
