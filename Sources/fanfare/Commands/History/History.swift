internal import CommandLineKit

/// `fanfare history`
struct History: Command {
  static let info = CommandInfo(
    "history", "Ask what was sent, and what was answered.",
    discussion: """
      Every run of 'send' and 'run' is written down, with each push, its answer and its apns-id; \
      keys, passwords and provider tokens never are. The database is the file of --history, else \
      FANFARE_HISTORY, else history.sqlite in the folder for state (XDG_STATE_HOME/fanfare or \
      ~/.local/state/fanfare), and yours alone (mode 0600).
      """,
    subcommands: [
      HistoryList.self, HistoryShow.self, HistoryStats.self, HistoryTail.self, HistoryDiff.self,
      HistoryExport.self, HistoryResend.self, HistoryPrune.self,
    ])
}
