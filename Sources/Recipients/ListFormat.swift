/// The format of a list's rows.
public enum ListFormat: String, Sendable, Hashable, CaseIterable {
  /// One device token per line; lines that begin with `#` are comments.
  case txt
  /// A table with a header row (RFC 4180); the separator is a comma, a semicolon or a tab.
  case csv
  /// One JSON object per line (jsonlines.org).
  case jsonl

  /// The format for the extension `.txt`, `.csv`, `.tsv`, `.jsonl` or `.ndjson`, in either case;
  /// nil for any other.
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
