internal import POSIX
internal import PushModel

/// The files beside a history that belong to a run: its lock, its mark of sent pushes, copies
/// of lists, and results that could not be written. They are named `HISTORY.run-NUMBER.KIND`.
struct CompanionFiles {
  private let history: String

  private static let kinds = ["lock", "sent", "list-", "suppress-", "results."]

  /// - Parameter history: the history's file.
  init(beside history: String) { self.history = history }

  /// Removes the files of runs that are no longer in the history.
  ///
  /// - Returns: their size in bytes.
  func removeOrphans(in database: borrowing Database) throws(HistoryError) -> Int {
    // A higher number may belong to a run that is just beginning.
    let highest = try database.number("SELECT seq FROM sqlite_sequence WHERE name = 'runs'")
    var bytes = 0
    for (name, run) in names {
      guard run.rawValue <= highest, try !database.driver.isLeased(run),
        try database.number("SELECT count(*) FROM runs WHERE id = \(run)") == 0
      else { continue }
      bytes += remove(folder + name)
    }
    return bytes
  }

  private func remove(_ path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, unlink(path) == 0 else {
      return 0
    }
    return Int(status.st_size)
  }

  /// The folder with a slash at the end; empty for the current one.
  private var folder: String {
    history.lastIndex(of: "/").map { String(history[...$0]) } ?? ""
  }

  private var names: [(String, RunNumber)] {
    POSIX.names(inFolder: folder.isEmpty ? "." : folder)?
      .compactMap { name in run(of: name).map { (name, $0) } } ?? []
  }

  private func run(of name: String) -> RunNumber? {
    let prefix = history.dropFirst(folder.count) + ".run-"
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(separator: ".", maxSplits: 1)
    guard parts.count == 2, Self.kinds.contains(where: { parts[1].hasPrefix($0) }) else {
      return nil
    }
    return Int64(parts[0]).flatMap { RunNumber(rawValue: $0) }
  }
}
