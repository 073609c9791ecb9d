/// How the rows of a list are written.
public enum ListFormat: String, Sendable, Hashable, CaseIterable {
  /// A device token a line; lines that begin with `#` are comments.
  case txt
  /// A table with a header row (RFC 4180); cells are parted by a comma, a semicolon or a tab.
  case csv
  /// A JSON object a line (jsonlines.org).
  case jsonl

  /// The format that a file's name tells by `.txt`, `.csv`, `.tsv`, `.jsonl` or `.ndjson`, in
  /// either case; nil when its ending is another.
  public init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "txt": self = .txt
    case "csv", "tsv": self = .csv
    case "jsonl", "ndjson": self = .jsonl
    default: return nil
    }
  }
}
