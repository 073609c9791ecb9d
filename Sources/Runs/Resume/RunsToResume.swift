internal import HTTP2
internal import History
internal import POSIX
internal import PlainText
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import Settings

/// The runs with something left: those of the project that a command is run in, and all others.
struct RunsToResume {
  /// The runs that were begun in this project, newest first.
  private(set) var here: [StoredRun] = []
  private var elsewhere: [StoredRun] = []
  /// The history to name in commands; nil for the one used by default.
  private let history: String?
  private let reader: HistoryReader
  /// In milliseconds since 1970 UTC.
  private let now: Int64

  /// - Parameter history: the history to name in commands; nil for the one used by default.
  init(in path: String, named history: String?, _ context: Context) throws(Failure) {
    self.history = history
    now = context.clock.epochMilliseconds()
    let project = ProjectRoot.folder(around: ProcessFacts.workingFolder)
    let runs = try answered(SQLLedger.unfinished(at: path, now: now))
    reader = try answered(HistoryReader(path))
    for run in runs {
      let stored = try reader.storedRun(run)
      let isHere = stored.settings.map { ProjectRoot.folder(around: $0.folder) == project } ?? false
      if isHere { here.append(stored) } else { elsewhere.append(stored) }
    }
  }

  /// A line about the runs besides the newest of this project: the command of the only one, or
  /// where several are listed; nil without any.
  func others() throws(Failure) -> String? {
    var open: [StoredRun] = []
    for run in here.dropFirst() + elsewhere where try canBeResumed(run.entry) { open.append(run) }
    guard open.count > 1 else { return open.first.map(sentence) }
    let place = history.map { " --history \(shellWord($0))" } ?? ""
    return "\(grouped(open.count)) other runs are unfinished: "
      + "'fanfare history list --unfinished\(place)' lists them."
  }

  /// False while a process sends the run, and if other runs have sent what was left of it.
  private func canBeResumed(_ entry: RunEntry) throws(Failure) -> Bool {
    if reader.isBeingSent(entry.run) { return false }
    return try SentElsewhere(of: entry, in: reader, now: now).leavesSome
  }

  private func sentence(_ run: StoredRun) -> String {
    let place = run.settings.map { " in \($0.folder.printable)" } ?? ""
    let command = ResumeHint(run, history: history).command ?? ""
    let what = [run.entry.record.topic, run.entry.record.environment].compactMap(\.self)
    return "Also unfinished, begun\(place) (\(what.joined(separator: ", ").printable)): \(command)"
  }

  /// The message when none of this project is left.
  var nothing: String {
    elsewhere.isEmpty
      ? "No run in the history has anything left to do."
      : "No run that was begun in this project has anything left to do."
  }
}
