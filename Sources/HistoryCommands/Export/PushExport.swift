internal import History
internal import JSONText
internal import PushModel
internal import Reporting
internal import Runs

/// Writes pushes of the history in another program's format, piece by piece.
protocol PushExport {
  /// The export needs the requests, not just the results.
  var needsRequest: Bool { get }
  var head: [UInt8] { get }
  var tail: [UInt8] { get }

  /// The bytes of a push and its row's values; only called if requests are not needed.
  mutating func bytes(of push: DescribedPush, in stored: StoredRun) -> [UInt8]

  /// - Parameter request: the request sent; nil unless needed.
  mutating func bytes(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8]
}

extension PushExport {
  mutating func bytes(of push: DescribedPush, in stored: StoredRun) -> [UInt8] {
    bytes(of: push.entry, in: stored, nil)
  }
}

/// Pushes of the history as records: JSON Lines as in `history list --json`, or a table that adds
/// the facts of each run.
struct RecordExport: PushExport {
  let needsRequest = false
  let tail: [UInt8] = []
  private let isTable: Bool
  private let listed: [String]
  private var encoder: RecordEncoder

  /// - Parameter listed: the list columns of a table.
  init(_ format: RecordEncoder.Format, listing listed: [String] = []) {
    isTable = format != .jsonLines
    self.listed = listed
    encoder = RecordEncoder(format)
  }

  var head: [UInt8] {
    var encoder = encoder
    encoder.encodeHeader(ExportedPush.columns + listed)
    return encoder.drained()
  }

  mutating func bytes(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8] {
    bytes(of: DescribedPush(entry: push), in: stored)
  }

  mutating func bytes(of push: DescribedPush, in stored: StoredRun) -> [UInt8] {
    if isTable {
      encoder.encode(ExportedPush(push: push, record: stored.entry.record, listed: listed))
    } else {
      encoder.encode(HistoryRecord(entry: push.entry, facts: push.facts))
    }
    return encoder.drained()
  }
}

/// A push with the columns that tell runs apart in a table.
struct ExportedPush: Record {
  let push: DescribedPush
  let record: RunRecord
  let listed: [String]

  static let columns = Outputs.push.map(\.name) + ["environment", "pushType", "topic"]

  func encode(to encoder: inout some ColumnEncoder) {
    HistoryRecord(entry: push.entry, facts: push.facts, tellsColumns: false).encode(to: &encoder)
    encoder.encode(RecordColumn("environment"), text: record.environment)
    encoder.encode(RecordColumn("pushType"), text: record.pushType)
    encoder.encode(RecordColumn("topic"), text: record.topic)
    for name in listed {
      if let index = push.facts.columns.firstIndex(of: name) {
        push.withListed(index) { encoder.encode(RecordColumn(name), $0, $1) }
      } else {
        encoder.encode(RecordColumn(name), text: nil)
      }
    }
  }
}

/// True if a list column of this name would clash with a column of results, dead tokens or exports.
package func isResultColumn(_ name: String) -> Bool { resultColumns.contains(name.lowercased()) }

private let resultColumns = Set(
  (ExportedPush.columns + Outputs.resultStep.map(\.name) + ["event", "device_token"]).map {
    $0.lowercased()
  })
