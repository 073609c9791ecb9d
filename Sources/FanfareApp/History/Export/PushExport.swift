internal import CommandLineKit
internal import History
internal import PushModel

/// Pushes of the history in a form for other programs, piece by piece.
protocol PushExport {
  /// Whether the requests are needed, and not the results alone.
  var needsRequest: Bool { get }
  /// What stands before the first push.
  var head: [UInt8] { get }
  /// What stands behind the last.
  var tail: [UInt8] { get }

  /// A push.
  ///
  /// - Parameter request: what was sent; nil unless it is needed.
  mutating func bytes(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8]
}

/// The forms of `fanfare history export`.
enum ExportFormat: String, ArgumentValue, CaseIterable {
  case jsonl
  case csv
  case har
  case curl
}

extension ExportFormat {
  /// The form that a file's name tells; nil for any other name.
  init?(fileName: String) {
    switch Self.ending(of: fileName)?.lowercased() {
    case "jsonl": self = .jsonl
    case "csv": self = .csv
    case "har": self = .har
    case "sh": self = .curl
    default: return nil
    }
  }

  /// What stands behind the last dot of a file's name; nil when there is none.
  static func ending(of path: String) -> Substring? {
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    return name[name.index(after: dot)...]
  }

  /// - Parameter exact: whether values are left as they are, however a spreadsheet takes them.
  func export(exact: Bool) -> any PushExport {
    switch self {
    case .jsonl: RecordExport(.jsonLines)
    case .csv: RecordExport(.csv(isSafe: !exact))
    case .har: HARExport()
    case .curl: CurlExport()
    }
  }
}

extension PushEntry {
  /// Whether its row broke a rule, so that there never was a request.
  var wasNeverSent: Bool { outcome == .skipped && attempts == 0 }

  /// Whether a request may have been made. Who claimed an unknown push may have been killed before it
  /// could count.
  var mayHaveBeenSent: Bool { attempts > 0 || outcome == .unknown }
}
