internal import CommandLineKit

/// `fanfare history`
struct HistoryCommand: Command {
  static let info = CommandInfo(
    "history", "Show what was sent and how it was answered.",
    discussion: """
      Every run of 'send' and 'run' is recorded with each push, its answer and its apns-id; keys, \
      passwords and provider tokens never are. The history is the file or the PostgreSQL database \
      (postgresql://HOST/DATABASE) given with --history or FANFARE_HISTORY, or history.sqlite in \
      the state folder (XDG_STATE_HOME/fanfare or ~/.local/state/fanfare). Only its owner can read \
      the file (mode 0600).
      """,
    subcommands: [
      HistoryListCommand.self, HistoryShowCommand.self, HistoryStatsCommand.self,
      HistoryTailCommand.self, HistoryDiffCommand.self,
      HistoryExportCommand.self, HistoryResendCommand.self, HistoryPruneCommand.self,
    ])
}
