internal import APNS
internal import POSIX
internal import Reporting
internal import WebServer

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
      return file.map {
        Entry(id: id, path: String(Substring($0.utf8.dropFirst(place.utf8.count + 1))))
      }
    }
  }

  /// Takes a file.
  ///
  /// - Returns: its ID.
  func take(_ file: HeldFile, _ path: String) throws(HTTPRefusal) -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // No two share a time, which their order is taken from.
    let milliseconds = max(time.milliseconds, (entries.first?.milliseconds ?? 0) + 1)
    let id = "\(milliseconds)-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    try file.move(to: self.file(id, path))
    for old in entries.dropFirst(Self.limit) {
      unlink("\(folder ?? "")/\(old.id)/\(old.path)")
      removeFolders(of: old)
    }
    return id
  }

  func restore(_ entry: Entry, to file: HeldFile) throws(HTTPRefusal) {
    try self.file(entry.id, entry.path).move(to: file)
    removeFolders(of: entry)
  }

  /// A file in the bin, whose folders are made.
  private func file(_ id: String, _ path: String) throws(HTTPRefusal) -> HeldFile {
    guard let folder else {
      throw .failed(.init(path: path, action: .write, fault: .system(ENOENT), purpose: "bin"))
    }
    do throws(FileFailure) {
      try createFolders(of: "\(folder)/\(id)", mode: 0o700)
    } catch {
      throw .failed(error)
    }
    return try HeldFile("\(id)/\(path)", below: HeldFolder(folder), making: 0o700)
  }

  private func removeFolders(of entry: Entry) {
    var place = parentFolder(of: "\(folder ?? "")/\(entry.id)/\(entry.path)")
    while place != folder, rmdir(place) == 0 { place = parentFolder(of: place) }
  }
}
