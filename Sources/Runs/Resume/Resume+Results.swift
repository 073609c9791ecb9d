internal import PlainText
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import Settings

// Results of a run that are not in its history, because it could not be written to.
extension Resume {
  /// The results that are read from a file at once.
  private static let batch = 8192

  /// Hands over the results that a run saved beside its history, and those that are in its file of
  /// results alone.
  func rescuedResults(of run: RunNumber, in path: String) -> RescuedResults {
    { (record, take) throws(HistoryError) in
      let saved = SavedResults(of: run, record, in: path, context)
      let results = saved.results(of: record)
      if !results.isEmpty {
        tell(try take(results), of: run, in: saved.path)
        removeFile(saved.path)
      }
      if let file = resultFile(of: run, record, in: path) {
        tell(try takeIn(file, of: record, take), of: run, in: file.path)
      }
    }
  }

  private func tell(_ count: Int, of run: RunNumber, in path: String) {
    if count == 0 { return }
    context.teller.note(
      "\(counted(count, "result")) of run \(run) \(count == 1 ? "was" : "were") only in "
        + "\(path.printable), and \(count == 1 ? "is" : "are") in the history now.")
  }

  /// The file of results that the command line or the run names, if it is there.
  private func resultFile(
    of run: RunNumber, _ record: RunRecord, in path: String
  ) -> ResultFile? {
    guard let inputs = RunInputs(json: record.settings, from: .run(run, in: path)),
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
