internal import CommandLineKit
internal import FanfareApp

/// `fanfare manual`
struct ManualCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "manual", "Print the manual page.",
    discussion: "The format is mdoc, which man, mandoc and groff read.",
    examples: [Example("fanfare manual > fanfare.1", "A file for 'man ./fanfare.1'.")])

  /// The day of the manual's last change, as mdoc wants it.
  private static let date = "November 21, 2026"

  func run(_ context: Context) throws -> ExitCode {
    context.output.write(ManualPage.text(of: fanfareTool().description, date: Self.date))
    return .success
  }
}
