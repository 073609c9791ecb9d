internal import APNS
internal import History
internal import PlainText
internal import PushModel

extension HistoryFilterOptions {
  /// Says of words that neither the history nor anybody else knows, for they may be mistyped: nothing
  /// can fit them.
  func warnOfUnknownWords(in history: any HistoryStore, _ context: Context) throws(Failure) {
    if let environment {
      let known = try history.asking { (history) throws(HistoryError) in
        try history.environments()
      }
      warn("--env", [environment], known + PushEnvironment.named.map(\.name), context)
    }
    if let scenario {
      let known = try history.asking { (history) throws(HistoryError) in try history.scenarios() }
      warn("--scenario", [scenario], known, context)
    }
    if reasons.isEmpty { return }
    let known = try history.asking { (history) throws(HistoryError) in try history.allReasons() }
    warn("--reason", reasons, known + Reason.table.map(\.reason.rawValue), inAnyCase: true, context)
  }

  private func warn(
    _ option: String, _ words: [String], _ known: [String], inAnyCase: Bool = false,
    _ context: Context
  ) {
    for word in words where !known.contains(word) {
      let same = Set(known).sorted().filter { $0.lowercased() == word.lowercased() }
      if same.isEmpty {
        warn(option, word, Suggestion.near(word, among: Set(known).sorted()), context)
      } else if !inAnyCase {
        warn(option, word, same, context)
      }
    }
  }

  private func warn(_ option: String, _ word: String, _ near: [String], _ context: Context) {
    let near = near.map { "'\($0.printable)'" }
    let advice =
      near.isEmpty
      ? "Nothing in the history matches." : "Did you mean \(near.joined(separator: " or "))?"
    let style = Style(hasColor: context.errors.hasColor)
    context.errors.write(
      "fanfare: \(style.doubtful("warning:")) \(option) \(word.printable) is not in the history.\n"
        + "  \(advice)\n")
    context.errors.flush()
  }
}
