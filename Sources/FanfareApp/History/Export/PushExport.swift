internal import History
internal import PushModel

/// Pushes of the history in a form for other programs, piece by piece.
protocol PushExport {
  /// Whether the requests are needed, and not the results alone.
  var needsRequest: Bool { get }
  var head: [UInt8] { get }
  var tail: [UInt8] { get }

  /// - Parameter request: what was sent; nil unless it is needed.
  mutating func bytes(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8]
}

/// Pushes of the history as records: JSON Lines as `history list --json` prints them, or a table with
/// what a spreadsheet needs to know of their run.
struct RecordExport: PushExport {
  let needsRequest = false
  let tail: [UInt8] = []
  private let isTable: Bool
  private var encoder: RecordEncoder

  init(_ format: RecordEncoder.Format) {
    isTable = format != .jsonLines
    encoder = RecordEncoder(format)
  }

  var head: [UInt8] {
    var encoder = encoder
    encoder.encodeHeader(ExportedPush.columns)
    return encoder.drained()
  }

  mutating func bytes(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8] {
    if isTable {
      encoder.encode(ExportedPush(push: push, record: stored.entry.record))
    } else {
      encoder.encode(HistoryRecord(entry: push))
    }
    return encoder.drained()
  }
}

/// A push with what tables of several runs need to tell them apart.
private struct ExportedPush: Record {
  let push: PushEntry
  let record: RunRecord

  static let columns = HistoryRecord.columns + ["environment", "pushType", "topic"]

  func encode(to encoder: inout some ColumnEncoder) {
    HistoryRecord(entry: push).encode(to: &encoder)
    encoder.encode("environment", text: record.environment)
    encoder.encode("pushType", text: record.pushType)
    encoder.encode("topic", text: record.topic)
  }
}
