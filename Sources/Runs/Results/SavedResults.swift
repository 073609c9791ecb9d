package import APNS
internal import POSIX
package import PushModel
internal import Reporting
package import Settings

/// Results that a run could not write to its history, such as those of a database that was away, in a
/// file from which `resume` and the workers of this machine take them.
package struct SavedResults {
  /// The files, which need not exist: the next is for when one cannot be written.
  package let paths: [String]
  private let context: Context

  /// - Parameter history: the history's file or URL.
  package init(
    of run: RunNumber, _ record: RunRecord, in history: String, _ context: Context
  ) {
    paths = ListCopies(run, record, in: history, context).savedResults
    self.context = context
  }

  /// Adds results to the first file that takes them all.
  ///
  /// - Returns: its path; nil if there is none.
  package func save(_ results: [PushResult], apnsID: (Push) -> APNSID) -> String? {
    paths.first { path in
      try? makeFolders(of: path, mode: 0o700)
      guard var file = try? ResultFile(path, context), (try? file.begin(continues: true)) != nil
      else {
        return false
      }
      file.write(results, apnsID: apnsID)
      return file.failure == nil
    }
  }

  /// The results in one of the files; none if it is not there, nil if it cannot be read.
  package func results(in path: String, of record: RunRecord) -> [PushResult]? {
    guard isPlainFile(path) else { return [] }
    guard
      let file = try? RecordFile(
        path, RecordFormat.jsonLines.encoder(), columns: [], for: "results")
    else { return nil }
    var results: [PushResult] = []
    file.forEachLine { line in
      if let result = PushResult(line, of: record.identity) { results.append(result) }
      return true
    }
    return results.reversed()
  }
}

extension PushResult {
  /// The result that a line of results tells; nil if it is none of the run.
  init?(_ line: RecordLine, of identity: RunIdentity) {
    guard let sequence = line["apnsID"].flatMap({ APNSID($0) }).flatMap(identity.sequence),
      let outcome = line["outcome"].flatMap({ Outcome(rawValue: $0) }), let list = line["list"],
      let number = line["line"].flatMap({ Int($0) }), sequence < 1 << 40
    else { return nil }
    var columns = PushChunk.Columns()
    columns.lines = [number]
    columns.tokens = Array((line["token"] ?? "").utf8)
    columns.tokenEnds = [columns.tokens.count]
    let chunk = PushChunk(
      firstSequence: sequence, list: list, channel: line["channel"], columns)
    self.init(
      push: chunk.push(at: 0), outcome: outcome, response: Response(line),
      attempts: line["attempts"].flatMap { Int($0) } ?? 1, wasResentInDoubt: false,
      latencyMicroseconds: line["latencyMilliseconds"].flatMap { Double($0) }
        .flatMap { Int(exactly: ($0 * 1000).rounded()) },
      answeredAt: line["answeredAt"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil })
  }
}

extension Response {
  fileprivate init?(_ line: RecordLine) {
    guard let status = line["status"].flatMap({ Int($0) }) else { return nil }
    self.init(
      status: Status(rawValue: status), uniqueID: line["uniqueID"],
      reason: line["reason"].flatMap { Reason(rawValue: $0) },
      timestamp: line["timestamp"].flatMap { Int64($0) })
  }
}
