internal import History
internal import PushModel
internal import Reporting
internal import Runs

/// Pushes of the history in a form for other programs, piece by piece.
protocol PushExport {
  /// Whether the requests are needed, and not the results alone.
  var needsRequest: Bool { get }
  var head: [UInt8] { get }
  var tail: [UInt8] { get }

  /// The bytes of a push, with what its row says; only where no request is needed.
  mutating func bytes(of push: ToldPush, in stored: StoredRun) -> [UInt8]

  /// - Parameter request: what was sent; nil unless it is needed.
  mutating func bytes(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8]
}

extension PushExport {
  mutating func bytes(of push: ToldPush, in stored: StoredRun) -> [UInt8] {
    bytes(of: push.entry, in: stored, nil)
  }
}

/// Pushes of the history as records: JSON Lines as `history list --json` prints them, or a table with
/// what a spreadsheet needs to know of their run.
struct RecordExport: PushExport {
  let needsRequest = false
  let tail: [UInt8] = []
  private let isTable: Bool
  private let listed: [String]
  private var encoder: RecordEncoder

  /// - Parameter listed: the columns of lists that a table has.
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
    bytes(of: ToldPush(entry: push), in: stored)
  }

  mutating func bytes(of push: ToldPush, in stored: StoredRun) -> [UInt8] {
    if isTable {
      encoder.encode(ExportedPush(push: push, record: stored.entry.record, listed: listed))
    } else {
      encoder.encode(HistoryRecord(entry: push.entry, facts: push.facts))
    }
    return encoder.drained()
  }
}

/// A push with what tables of several runs need to tell them apart.
struct ExportedPush: Record {
  let push: ToldPush
  let record: RunRecord
  let listed: [String]

  static let columns = HistoryRecord.columns + ["environment", "pushType", "topic"]

  func encode(to encoder: inout some ColumnEncoder) {
    HistoryRecord(entry: push.entry, facts: push.facts, tellsColumns: false).encode(to: &encoder)
    encoder.encode("environment", text: record.environment)
    encoder.encode("pushType", text: record.pushType)
    encoder.encode("topic", text: record.topic)
    for name in listed {
      if let index = push.facts.columns.firstIndex(of: name) {
        push.withListed(index) { encoder.encode(name, $0, $1) }
      } else {
        encoder.encode(name, text: nil)
      }
    }
  }
}

/// Whether something else has this name where results, dead tokens and exports tell the columns of
/// lists.
package func isResultColumn(_ name: String) -> Bool { resultColumns.contains(name.lowercased()) }

private let resultColumns = Set(
  (ExportedPush.columns + ResultStep.columns + ["event", "device_token"]).map { $0.lowercased() })
