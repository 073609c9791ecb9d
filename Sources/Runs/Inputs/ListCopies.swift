internal import APNS
package import History
internal import POSIX
internal import PlainText
package import PushModel
package import Recipients
internal import Reporting
package import SQLHistory
package import Settings
internal import Synchronization

/// The copies of a run's lists: next to the history's file or, for a database, in this machine's
/// state folder.
package struct ListCopies {
  /// The common prefix of their paths.
  private let base: String
  /// The same in this machine's state folder.
  private let baseElsewhere: String

  /// - Parameter history: the history's file or URL.
  package init(_ run: RunNumber, _ record: RunRecord, in history: String, _ context: Context) {
    // There, the number is not unique: another history may have a run with the same number.
    baseElsewhere = "\(context.copiesFolder)/run-\(run)-\(record.identity.name)"
    base = HistoryLocation(history).file.map { "\(withoutLink($0)).run-\(run)" } ?? baseElsewhere
  }

  /// The copies for a run of the history.
  package init(of entry: RunEntry, in history: HistoryReader, _ context: Context) {
    self.init(entry.run, entry.record, in: history.path, context)
  }

  /// The copy of a recipient list, by its index.
  package func recipients(_ index: Int) -> String { "\(base).list-\(index + 1)" }

  /// The copy of a list of `--suppress`, by its index.
  package func suppressed(_ index: Int) -> String { "\(base).suppress-\(index + 1)" }

  /// The files of the lists of a run: those that were named, or the copies.
  func files(of inputs: RunInputs) -> [String] {
    func file(_ list: RunInputs.List, copy: String) -> String {
      list.fingerprint == nil ? copy : inputs.fromHere(list.path)
    }
    let recipients = inputs.recipients.enumerated().compactMap { index, recipients in
      if case .list(let list) = recipients { file(list, copy: self.recipients(index)) } else { nil }
    }
    return recipients + inputs.suppressed.enumerated().map { file($1, copy: suppressed($0)) }
  }

  /// The files for results that could not be written to the history. The second one is used when the
  /// history's own disk is full.
  package var savedResults: [String] { [base, baseElsewhere].map { "\($0).results.jsonl" } }

  /// Moves copies to their final paths.
  package func keep(recipients: ListSpools, suppressed: ListSpools) {
    if recipients.spools.isEmpty, suppressed.spools.isEmpty { return }
    // If this fails, so does the next step, which reports it.
    try? makeFolders(of: base, mode: 0o700)
    recipients.keep(at: self.recipients)
    suppressed.keep(at: self.suppressed)
  }

  /// Removes the copies of a run with this many lists.
  package func removeAll(recipients: Int, suppressed: Int) {
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

// Removing runs from a file also removes the copies next to it. A database cannot reach the files
// on this machine.
extension ListCopies {
  /// The copies on this machine for runs in a database.
  package static func kept(
    of runs: [RunNumber], in history: HistoryReader, _ context: Context
  ) throws(HistoryError) -> [RunNumber: ListCopies] {
    let numbers = Set((names(inFolder: context.copiesFolder) ?? []).compactMap(runNumber))
    var kept: [RunNumber: ListCopies] = [:]
    for run in runs where numbers.contains(run) {
      kept[run] = try history.run(run).map { ListCopies(of: $0, in: history, context) }
    }
    return kept
  }

  /// Removes the copies of runs that no longer exist.
  package static func removeOrphans(
    among kept: [RunNumber: ListCopies], in history: HistoryReader
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
  /// A folder with room for a list being read: the folder of the copies, once it exists.
  package func scratchFolder(beside history: String) -> String {
    let folder = HistoryLocation(history).file.map(parentFolder(of:)) ?? copiesFolder
    return access(folder, W_OK) == 0 ? folder : temporaryFolder
  }

  /// Has runs of databases keep their mark of sent pushes beside the copies.
  package func keepMarks() {
    if stateFolder != nil { SQLLedger.keepMarks(in: copiesFolder) }
  }

  /// The folder for copies of lists if the history is a database. It needs a home folder.
  fileprivate var copiesFolder: String { (stateFolder ?? "/dev/null") + "/lists" }
}

extension RunIdentity {
  /// A name that identifies the run among all runs.
  fileprivate var name: String { apnsID(ofSequence: 0).description }
}

/// Copies lists that can be read only once, while they are being read.
package final class ListSpools: Sendable {
  private struct State {
    var spools: [Int: Spool] = [:]
    /// Reports the error if a list copied before the run began could not be kept.
    var report: @Sendable (Int32) -> Void = { _ in }
  }

  private let state = Mutex(State())

  package init() {}

  /// The copies by the list's index.
  package var spools: [Int: Spool] { state.withLock { $0.spools } }

  /// A list could not be copied.
  package var hasFailed: Bool { spools.values.contains { $0.failure != nil } }

  /// - Parameter history: the run's history, which determines the folder for copies made before the
  ///   run has its number; nil copies nothing.
  package func prepare(
    for sources: [RecipientSource], beside history: String?, _ context: Context
  ) -> [Int: Spool] {
    var spools: [Int: Spool] = [:]
    if let history {
      for (index, source) in sources.enumerated() where source.isReadOnce {
        spools[index] = Spool(scratchFolder: context.scratchFolder(beside: history)) { code in
          context.teller.note(Self.cannotCopy(source.name, code))
        }
      }
    }
    state.withLock { $0.spools = spools }
    return spools
  }

  /// Takes over the only list of a run that resends pushes.
  package func hold(_ list: ResentList, _ context: Context) {
    let spools = list.spool.map { [0: $0] } ?? [:]
    let name = list.name
    state.withLock { state in
      state.spools = spools
      state.report = { code in context.teller.note(Self.cannotCopy(name, code)) }
    }
  }

  /// Moves the copies to their final paths.
  func keep(at path: (Int) -> String) {
    let (spools, report) = state.withLock { ($0.spools, $0.report) }
    for (index, spool) in spools {
      spool.keep(at: path(index))
      if let code = spool.failure { report(code) }
    }
  }

  /// Removes the copies, for want of room.
  func giveUp() {
    let (spools, report) = state.withLock { ($0.spools, $0.report) }
    for spool in spools.values where spool.failure == nil {
      spool.giveUp(ENOSPC)
      report(ENOSPC)
    }
  }

  private static func cannotCopy(_ list: String, _ code: Int32) -> String {
    "\(list.printable): no copy can be kept (\(systemMessage(code).printable)), and it cannot be "
      + "read twice: this run cannot be resumed."
  }
}
