internal import POSIX
internal import Recipients

/// The files in a folder and its subfolders, sorted by name. Hidden files, pipes and devices are
/// left out, and links to folders are not followed.
package struct FolderListing: Sendable, Hashable {
  /// The paths of the files, starting with the folder's path as given.
  package private(set) var files: [String] = []
  /// The folders that cannot be read, each with the system's `errno`.
  package private(set) var unreadable: [String: Int32] = [:]

  package init(_ path: String) {
    add(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
  }

  /// True if a folder exists at a path.
  package static func isFolder(_ path: String) -> Bool { fileKind(of: path) == S_IFDIR }

  private mutating func add(_ folder: String) {
    guard let names = names(inFolder: folder) else { return unreadable[folder] = errno }
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        add(path)
      } else if [nil, S_IFREG].contains(fileKind(of: path)) {
        // A pipe or a device might never end. A dangling link is reported as a missing file.
        files.append(path)
      }
    }
  }
}

/// The role of a file, judged by its name.
package enum FileKind: String, Sendable, CaseIterable {
  /// A payload: `.json`, and `.apns` of a simulator.
  case payload
  /// A scenario: `.json5`.
  case scenario
  /// A script for the emulator: `.json5` too, recognized by its contents.
  case script
  /// A list of device tokens: `.txt`, `.csv`, `.tsv`, `.jsonl`, `.ndjson`.
  case list
  /// Profiles: `fanfare.json`.
  case configuration

  /// The kind of a file named by the user; nil when its name does not say.
  package init?(path: String) {
    let name = Self.name(of: path)
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.count > 1 ? parts.last?.lowercased() : nil {
    case _ where name == "fanfare.json": self = .configuration
    case "json", "apns": self = .payload
    case "json5": self = .scenario
    case _ where ListFormat(path: path) != nil: self = .list
    default: return nil
    }
  }

  /// The kind of a file found in a folder; nil for one that is probably not ours. Tables and JSON
  /// Lines are left out, because they are as often results as lists, and so are JSON Schemas.
  package init?(foundAt path: String) {
    let name = Self.name(of: path).lowercased()
    let isOther = ["readme", "license", "licence", "changelog", "copying", "notice"].contains {
      name.hasPrefix($0)
    }
    let isTable = [.csv, .jsonl].contains(ListFormat(path: path))
    if isOther || isTable || name.hasSuffix(".schema.json") { return nil }
    self.init(path: path)
  }

  private static func name(of path: String) -> Substring {
    path.split(separator: "/").last ?? ""
  }
}
