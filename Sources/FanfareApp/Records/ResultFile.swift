internal import APNS
internal import PushModel

/// Where `--results` go: a record per push, written as the results come.
struct ResultFile {
  private var file: RecordFile

  /// Creates the file.
  ///
  /// - Parameter continues: whether to append to a file that exists; else it is replaced.
  init(_ path: String, continues: Bool, _ context: Context) throws(Failure) {
    guard path == "-" || path.hasSuffix(".jsonl") || path.hasSuffix(".csv") else {
      throw .badSetting(name: "--results", text: path, expected: "a name in .jsonl or .csv, or '-'")
    }
    file = try RecordFile(
      path, path.hasSuffix(".csv") ? .csv(isSafe: false) : .jsonLines,
      columns: ResultLine<PushResult>.columns, for: "results", continues: continues,
      standardOutput: context.output)
  }

  /// The path, or `-`.
  var path: String { file.path }

  /// Why a result could not be written; nil while all could.
  var failure: FileFailure? { file.failure }

  /// Writes a batch of results.
  mutating func write(_ results: [PushResult], apnsID: (Push) -> APNSID) {
    withoutActuallyEscaping(apnsID) { apnsID in
      file.write(results.lazy.map { ResultLine(result: $0, apnsID: apnsID($0.push)) })
    }
  }
}
