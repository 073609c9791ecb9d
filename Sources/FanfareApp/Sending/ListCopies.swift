internal import APNS
internal import History
internal import POSIX
internal import PushModel
internal import Recipients

/// The files with the copies of a run's lists: beside the history's file or, where the history is a
/// database, in the state folder of this machine.
struct ListCopies {
  /// What all their paths begin with.
  private let base: String

  /// - Parameter history: where the history is.
  init(_ run: RunNumber, _ record: RunRecord, in history: String, _ context: Context) {
    // Beside a database the number does not suffice: another one has a run of that number, too.
    base =
      HistoryLocation(history).isServer
      ? "\(context.copiesFolder)/run-\(run)-\(record.identity.name)" : "\(history).run-\(run)"
  }

  /// Those of a run of the history.
  init(of entry: RunEntry, in history: any HistoryStore, _ context: Context) {
    self.init(entry.run, entry.record, in: history.path, context)
  }

  /// The copy of a list of recipients, by its index.
  func recipients(_ index: Int) -> String { "\(base).list-\(index + 1)" }

  /// The copy of a list of `--suppress`.
  func suppressed(_ index: Int) -> String { "\(base).suppress-\(index + 1)" }

  /// Gives copies their names.
  func keep(recipients: ListSpools, suppressed: ListSpools) {
    if recipients.spools.isEmpty, suppressed.spools.isEmpty { return }
    // Where that fails, so does what follows, which tells.
    try? makeFolders(of: base, mode: 0o700)
    recipients.keep(at: self.recipients)
    suppressed.keep(at: self.suppressed)
  }

  /// Removes the copies of a run that had so many lists.
  func removeAll(recipients: Int, suppressed: Int) {
    let paths = (0..<recipients).map(self.recipients) + (0..<suppressed).map(self.suppressed)
    for path in paths { ListCopy.remove(at: path) }
  }

  private func removeAll() {
    let folder = parentFolder(of: base)
    let prefix = base.dropFirst(folder.count + 1) + "."
    for name in names(inFolder: folder) ?? [] where name.hasPrefix(prefix) {
      unlink("\(folder)/\(name)")
    }
  }
}

// Whoever removes runs from a file removes what is beside it, too. A database knows nothing of this
// machine's files.
extension ListCopies {
  /// The copies that this machine has of runs in a database.
  static func kept(
    of runs: [RunNumber], in history: any HistoryStore, _ context: Context
  ) throws(HistoryError) -> [RunNumber: ListCopies] {
    let numbers = Set((names(inFolder: context.copiesFolder) ?? []).compactMap(runNumber))
    var kept: [RunNumber: ListCopies] = [:]
    for run in runs where numbers.contains(run) {
      kept[run] = try history.run(run).map { ListCopies(of: $0, in: history, context) }
    }
    return kept
  }

  /// Removes those of runs that are no longer there.
  static func removeOrphans(
    among kept: [RunNumber: ListCopies], in history: any HistoryStore
  ) throws(HistoryError) {
    for (run, copies) in kept where try history.run(run) == nil { copies.removeAll() }
  }

  private static func runNumber(ofFile name: String) -> RunNumber? {
    let parts = name.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0] == "run" else { return nil }
    return Int64(parts[1]).flatMap { RunNumber(rawValue: $0) }
  }
}

extension Context {
  /// Where there is room for a list that is being read: the folder of the copies, once it exists.
  func scratchFolder(beside history: String) -> String {
    let isDatabase = HistoryLocation(history).isServer
    let folder = isDatabase ? copiesFolder : parentFolder(of: history)
    return access(folder, W_OK) == 0 ? folder : temporaryFolder
  }

  /// Where copies of lists are whose runs are in a database. Without a home nothing can be kept.
  fileprivate var copiesFolder: String { (stateFolder ?? "/dev/null") + "/lists" }
}

extension RunIdentity {
  /// The same for all pushes of the run, and for no other run.
  fileprivate var name: String { apnsID(ofSequence: 0).description }
}
