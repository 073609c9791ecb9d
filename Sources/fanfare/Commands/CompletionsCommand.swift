internal import CommandLineKit
internal import Reporting
internal import Settings

/// `fanfare completions`
struct CompletionsCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "completions", "Print the completion script of a shell.",
    discussion: "'make install' installs the scripts where the shells look for them.",
    examples: [
      Example(
        "fanfare completions bash > ~/.local/share/bash-completion/completions/fanfare",
        "Completions for bash."),
      Example("fanfare completions zsh > ~/.zfunc/_fanfare", "Completions for zsh."),
    ])

  var shell: Shell?

  static let groups = [
    OptionGroup<Self>(
      "Shell", [.arguments("shell", \.shell, help: "The shell.", isRequired: true)])
  ]

  func run(_ context: Context) throws -> Report {
    let text = shell?.completions(for: fanfareTool().description)
    return Report(parts: text.map { [.source($0)] } ?? [])
  }
}
