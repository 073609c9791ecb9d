internal import PlainText
package import PushModel
internal import Reporting
package import SQLHistory
package import Settings

/// The results of a run that its history lacks, because it could not be written to: those that were
/// saved, and those in its file of results.
package struct MissingResults {
  /// The number of results that are read from a file at once.
  private static let batch = 8192

  private let run: RunNumber
  private let history: String
  private let options: Settings
  private let context: Context

  /// - Parameters:
  ///   - history: the history's file or URL.
  ///   - options: name the file of results to look into; otherwise it is the run's own.
  package init(
    of run: RunNumber, in history: String, _ options: Settings, _ context: Context
  ) {
    (self.run, self.history, self.options, self.context) = (run, history, options, context)
  }

  /// Hands them over, and says so.
  package var rescued: RescuedResults {
    { (record, take) throws(HistoryError) in
      let saved = SavedResults(of: run, record, in: history, context)
      for path in saved.paths {
        // One that cannot be read now may be read later.
        guard let results = saved.results(in: path, of: record) else { continue }
        if !results.isEmpty { tell(try take(results), in: path) }
        removeFile(path)
      }
      if let file = resultFile(record) { tell(try takeIn(file, of: record, take), in: file.path) }
    }
  }

  private func tell(_ count: Int, in path: String) {
    if count == 0 { return }
    context.teller.note(
      "\(counted(count, "result")) of run \(run) \(count == 1 ? "was" : "were") only in "
        + "\(path.printable), and \(count == 1 ? "is" : "are") in the history now.")
  }

  /// The file of results, if it is there.
  private func resultFile(_ record: RunRecord) -> ResultFile? {
    guard let inputs = RunInputs(json: record.settings, from: .run(run, in: history)),
      let file = options.results?.value ?? inputs.files.results, isPlainFile(file),
      !isOpenDescriptor(file)
    else { return nil }
    return try? ResultFile(
      file, as: options.resultsFormat?.value, of: record.resultStep,
      listing: inputs.settings.listed, context)
  }

  /// Takes in the results at the end of a file that the history lacks. Each was written to the
  /// history first, as long as that was possible.
  private func takeIn(
    _ file: ResultFile, of record: RunRecord,
    _ take: ([PushResult]) throws(HistoryError) -> Int
  ) throws(HistoryError) -> Int {
    var (batch, seen, count) = ([PushResult](), Set<UInt64>(), 0)
    var failure: HistoryError?
    file.forEachLine { line in
      guard let result = PushResult(line, of: record.identity),
        seen.insert(result.push.sequence).inserted, result.outcome != .notAttempted
      else { return true }
      batch.append(result)
      if batch.count < Self.batch { return true }
      do throws(HistoryError) {
        let lacking = try take(batch)
        count += lacking
        batch = []
        return lacking > 0
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    return batch.isEmpty ? count : count + (try take(batch))
  }
}
