import Testing

/// Command lines that a document or a help text shows, and how they have to end.
struct ShellExample: Sendable, CustomTestStringConvertible {
  /// A command, over several lines where they end in a backslash.
  struct Command: Sendable {
    /// What is typed.
    var text: String
    /// What the document shows of its output.
    var output: [String] = []

    /// Whether the document shows how Ctrl-C ends it.
    var isInterrupted: Bool { output.contains("^C") }
  }

  /// The document or the help that shows it, and which of its examples it is.
  let source: String
  /// What is typed, in order, in one shell.
  let commands: [Command]
  /// How the last command ends, as the document says; the others end well.
  var exitCode: Int32 = 0
  /// The files that its page shows, by name.
  var files: [String: String] = [:]

  /// All that is typed.
  var text: String { commands.map(\.text).joined(separator: "\n") }

  var testDescription: String { "\(source): \(text.split(separator: "\n").first ?? "")" }

  /// The script for bash, which writes what each command says into `output-N`. It ends with 99 when
  /// a command before the last one ends as it should not, and ends what it started.
  var script: String {
    let parts = commands.enumerated().map { number, command in
      "\(typed(command)) >output-\(number) 2>&1"
        + (number + 1 == commands.count ? "" : end(command))
    }
    return ([Self.cleanUp] + parts).joined(separator: "\n") + "\n"
  }

  /// The script of which the one command takes the shell's place, so that signals reach it.
  var bareScript: String { "exec \(text)\n" }

  private static let cleanUp = "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT"

  private func typed(_ command: Command) -> String {
    guard command.isInterrupted else { return "{\n\(command.text)\n}" }
    // Without job control, what runs in the background would not hear of Ctrl-C. The shell says how
    // it ended, which the document does not show.
    return "{\nset -m\n\(command.text) &\nsleep 1; kill -INT $!; wait $! 2>/dev/null\n}"
  }

  private func end(_ command: Command) -> String {
    command.isInterrupted ? "\n[ $? = 130 ] || exit 99" : " || exit 99"
  }
}
