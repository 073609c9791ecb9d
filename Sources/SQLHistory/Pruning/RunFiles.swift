internal import POSIX
internal import PushModel

/// Files beside a history that belong to a run: its lock, how far it was sent, and copies of lists.
/// They are called `HISTORY.run-NUMBER.KIND`.
struct RunFiles {
  /// The history's file.
  let history: String

  private static let kinds = ["lock", "sent", "list-", "suppress-"]

  /// Removes the files of runs that were in the history, and are no more.
  ///
  /// - Returns: how many bytes they had.
  func removeOrphans(in database: borrowing Database) throws(HistoryError) -> Int {
    // A history on a server has no files beside it.
    if HistoryLocation(history).isServer { return 0 }
    // A higher number may be that of a run that begins just now.
    let highest = try database.number("SELECT seq FROM sqlite_sequence WHERE name = 'runs'")
    var bytes = 0
    for (name, run) in names {
      guard run.rawValue <= highest, try !database.driver.isLeased(run, at: history),
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

  /// With a slash at the end; empty for the one we are in.
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
