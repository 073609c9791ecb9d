internal import History
internal import JSONText
internal import PushModel
internal import Reporting
internal import Runs

/// A format of `fanfare history export`: of records, or of requests in another program's form.
package struct ExportFormat: Sendable, Hashable {
  /// The word of `--format`.
  package let name: String
  /// The endings of its files, in lowercase.
  package let endings: [String]
  /// A table, which a spreadsheet can open.
  let isTable: Bool
  /// Makes an export that keeps spreadsheets from running text as formulas, or leaves it as it is;
  /// of all lists' columns.
  let make: @Sendable (_ isSafe: Bool, _ listed: [String]) -> any PushExport

  init(
    _ name: String, _ endings: [String], isTable: Bool = false,
    make: @escaping @Sendable (_ isSafe: Bool, _ listed: [String]) -> any PushExport
  ) {
    (self.name, self.endings, self.isTable, self.make) = (name, endings, isTable, make)
  }

  private init(_ format: RecordFormat) {
    self.init(format.name, format.endings, isTable: format.isTable) { isSafe, listed in
      format.isTable
        ? RecordExport(
          format.encoder(isSafe: isSafe), ExportedPush.fields(listing: listed),
          columns: ExportedPush.columns + listed)
        : RecordExport(format.encoder(), [.all(DescribedPush.fields, of: \.push)])
    }
  }

  /// The formats, in the order in which they are listed.
  package static let all = RecordFormat.ofResults.map { ExportFormat($0) } + [har, curl]

  /// The format unless another is given.
  static let usual = ExportFormat(.jsonLines)

  /// The format of a file by its ending; nil for another ending.
  static func of(path: String) -> ExportFormat? {
    let ending = fileEnding(path)?.lowercased()
    return all.first { $0.endings.contains { $0 == ending } }
  }

  package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Writes pushes of the history, piece by piece.
protocol PushExport {
  /// The export needs the requests, not just the results.
  var needsRequest: Bool { get }
  var head: [UInt8] { get }
  var tail: [UInt8] { get }

  /// - Parameter request: the request sent; nil unless needed.
  mutating func bytes(
    of push: DescribedPush, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8]
}

/// Pushes of the history as records: JSON Lines as in `history list --json`, or a table that adds
/// the facts of each run.
private struct RecordExport: PushExport {
  let needsRequest = false
  let head: [UInt8]
  let tail: [UInt8] = []
  private let fields: [OutputField<ExportedPush>]
  private let encoder: any RecordEncoder

  init(
    _ encoder: any RecordEncoder, _ fields: [OutputField<ExportedPush>], columns: [String] = []
  ) {
    (self.encoder, self.fields) = (encoder, fields)
    encoder.encodeHeader(columns)
    head = encoder.drained()
  }

  func bytes(of push: DescribedPush, in stored: StoredRun, _ request: StoredRequest?) -> [UInt8] {
    encoder.encode(ExportedPush(push: push, record: stored.entry.record), fields)
    return encoder.drained()
  }
}

/// A push with the columns that tell runs apart in a table.
struct ExportedPush {
  let push: DescribedPush
  let record: RunRecord

  private static let described: [OutputField<Self>] = [
    .all(DescribedPush.described, of: \.push),
    .always("environment", \.record.environment, "The environment."),
    .always("pushType", \.record.pushType, "The push type."),
    .always("topic", \.record.topic, "The topic."),
  ]

  static let columns = described.keys().map(\.name)

  /// - Parameter listed: the columns of all lists; those that a push's list lacks are empty.
  fileprivate static func fields(listing listed: [String]) -> [OutputField<Self>] {
    described
      + listed.map { name in
        .init(keys: []) { row, writer in
          guard let index = row.push.facts.columns.firstIndex(of: name) else {
            return writer.write(name, .null)
          }
          row.push.write(index, as: name, to: writer)
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
