internal import CommandLineKit
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
