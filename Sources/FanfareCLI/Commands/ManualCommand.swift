internal import CommandLineKit
internal import HTTP2
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare manual`
struct ManualCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "manual", "Show the manual page, or print it into a file.",
    discussion: """
      On a terminal it opens in 'man', or as plain text in the pager that PAGER names. Elsewhere it is \
      printed in the format mdoc, which man, mandoc and groff read.
      """,
    examples: [
      Example("fanfare manual", "The manual, a screen at a time."),
      Example("fanfare manual > fanfare.1", "A file for 'man ./fanfare.1'."),
    ])

  /// The date of the manual's last change, in mdoc's form.
  private static let date = "November 22, 2026"

  func run(_ context: Context) throws -> Report {
    let tool = fanfareTool().description
    return Pager(context).show(page: ManualPage.text(of: tool, date: Self.date)) {
      let texts = [HelpText.text(of: tool)] + tool.commands.map { HelpText.text(of: $0) }
      return texts.joined(separator: "\n")
    }
  }
}

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

/// `fanfare version`
struct VersionCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "version", "Print the version, and with --verbose the libraries.",
    examples: [Example("fanfare version --verbose", "What to include in a bug report.")])

  var verbose = false

  static let groups = [
    OptionGroup<Self>(
      "Version", [.flag("verbose", \.verbose, short: "v", help: "Print the libraries, too.")])
  ]

  func run(_ context: Context) throws -> Report {
    Report(parts: [.source(versionText + (verbose ? Dialer.libraryVersion + "\n" : ""))])
  }
}
