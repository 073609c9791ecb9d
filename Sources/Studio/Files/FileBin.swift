internal import APNS
internal import POSIX
internal import Reporting

/// Deleted files of a project, outside of it: `ID/PATH` each, until they are restored or too many.
struct FileBin: Sendable {
  /// The most files that are kept.
  static let limit = 100

  struct Entry: Sendable {
    /// The time in milliseconds since 1970, and random digits.
    let id: String
    let path: String

    /// The time at which it was deleted, in ISO 8601.
    var removedAt: String { ISO8601.text(milliseconds: milliseconds) }

    fileprivate var milliseconds: Int64 {
      id.split(separator: "-").first.flatMap { Int64($0) } ?? 0
    }
  }

  /// The project's folder in the bin; nil if the user has no folder for state.
  private let folder: String?

  /// - Parameters:
  ///   - stateFolder: the user's folder for state; nil for none.
  ///   - project: the project's folder.
  init(in stateFolder: String?, of project: String) {
    folder = stateFolder.map { "\($0)/studio-bin/\(FileState.version(of: Array(project.utf8)))" }
  }

  /// The deleted files, the last one first.
  var entries: [Entry] {
    let ids = folder.flatMap { names(inFolder: $0) } ?? []
    return ids.filter { !$0.hasPrefix(".") }.sorted(by: >).compactMap { id in
      let place = (folder ?? "") + "/" + id
      let file = FolderListing(place).files.first
      return file.map { Entry(id: id, path: String($0.dropFirst(place.count + 1))) }
    }
  }

  /// Takes a file.
  ///
  /// - Returns: its ID.
  func take(_ place: String, _ path: String) throws(FileFailure) -> String {
    guard let folder else {
      throw FileFailure(path: path, action: .write, fault: .system(ENOENT), purpose: "bin")
    }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // No two share a time, which their order is taken from.
    let milliseconds = max(time.milliseconds, (entries.first?.milliseconds ?? 0) + 1)
    let id = "\(milliseconds)-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    try moveFile(place, to: "\(folder)/\(id)/\(path)", mode: 0o700)
    for old in entries.dropFirst(Self.limit) {
      unlink("\(folder)/\(old.id)/\(old.path)")
      removeFolders(of: old)
    }
    return id
  }

  func restore(_ entry: Entry, to place: String) throws(FileFailure) {
    try moveFile("\(folder ?? "")/\(entry.id)/\(entry.path)", to: place)
    removeFolders(of: entry)
  }

  private func removeFolders(of entry: Entry) {
    var place = parentFolder(of: "\(folder ?? "")/\(entry.id)/\(entry.path)")
    while place != folder, rmdir(place) == 0 { place = parentFolder(of: place) }
  }
}
