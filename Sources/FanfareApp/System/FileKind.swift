internal import Recipients

/// What a file is for, by its name.
enum FileKind: String, Sendable, CaseIterable {
  /// A payload: `.json`, and `.apns` of a simulator.
  case payload
  /// A scenario: `.json5`.
  case scenario
  /// A script for the emulator: `.json5` too, told by what stands in it.
  case script
  /// A list of device tokens: `.txt`, `.csv`, `.tsv`, `.jsonl`, `.ndjson`.
  case list
  /// Profiles: `fanfare.json`.
  case configuration

  /// The kind of a file that was named; nil when the name does not tell.
  init?(path: String) {
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

  /// The kind of a file that was found in a folder; nil for one that is probably nothing of ours.
  /// Tables and JSON Lines are left alone there: they are as often results as lists.
  /// So are JSON Schemas.
  init?(foundAt path: String) {
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
