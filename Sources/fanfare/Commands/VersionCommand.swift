internal import CommandLineKit
internal import HTTP2
internal import Reporting
internal import Settings

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
