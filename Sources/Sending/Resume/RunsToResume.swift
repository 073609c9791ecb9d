internal import HTTP2
internal import History
internal import POSIX
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs
internal import SQLHistory
internal import Settings

/// The runs with something left: those of the project that a command is run in, and all others.
struct RunsToResume {
  private static let mostNamed = 5

  /// The runs that were begun in this project, newest first.
  private(set) var here: [StoredRun] = []
  private var elsewhere: [StoredRun] = []
  /// The runs that are being sent, or of which other runs have sent what was left.
  private var spent: Set<RunNumber> = []
  /// The history to name in commands; nil for the one used by default.
  private let history: String?

  /// - Parameter history: the history to name in commands; nil for the one used by default.
  init(in path: String, named history: String?, _ context: Context) throws(Failure) {
    self.history = history
    let now = context.clock.epochMilliseconds()
    let project = ProjectRoot.folder(around: ProcessFacts.workingFolder)
    let runs = try answered(SQLLedger.unfinished(at: path, now: now))
    let reader = try answered(HistoryReader(path))
    for run in runs {
      let stored = try reader.storedRun(run)
      let isHere = stored.settings.map { ProjectRoot.folder(around: $0.folder) == project } ?? false
      if isHere { here.append(stored) } else { elsewhere.append(stored) }
      let since = try SentElsewhere(of: stored.entry, in: reader, now: now)
      if !since.isEmpty && since.isAll || reader.isBeingSent(run) { spent.insert(run) }
    }
  }

  /// The command for each run but the first of this project.
  var others: [String] {
    let others = (here.dropFirst() + elsewhere).filter { !spent.contains($0.entry.run) }
    let named = others.prefix(Self.mostNamed).map { run in
      let place = run.settings.map { " in \($0.folder.printable)" } ?? ""
      let command = ResumeHint(run, history: history).command ?? ""
      let what = [run.entry.record.topic, run.entry.record.environment].compactMap(\.self)
      return
        "Also unfinished, begun\(place) (\(what.joined(separator: ", ").printable)): \(command)"
    }
    let rest = others.count - named.count
    return named
      + (rest > 0 ? ["and \(grouped(rest)) more: 'fanfare history list' shows them"] : [])
  }

  /// The message when none of this project is left.
  var nothing: String {
    elsewhere.isEmpty
      ? HistoryError.nothingUnfinished.sentence
      : "No run that was begun in this project has anything left to do."
  }
}
