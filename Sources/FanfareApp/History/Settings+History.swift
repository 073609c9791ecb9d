internal import History
internal import Projects
internal import PushModel
internal import SQLiteHistory

extension Settings {
  /// Opens the history that these options, variables or the profile name.
  ///
  /// - Throws: `Failure.history`, `missing` among others.
  func openHistory(_ context: Context) throws(Failure) -> any HistoryStore {
    let path = try usedHistoryPath(context)
    do throws(HistoryError) {
      return try HistoryReader(path)
    } catch {
      throw .history(error)
    }
  }

  /// The file of that history.
  ///
  /// - Throws: `Failure.nothingWrittenDown` where there is no home.
  func usedHistoryPath(_ context: Context) throws(Failure) -> String {
    let settings = try merged(reading: [.telling], context)
    guard let path = try settings.historyPath() else { throw .nothingWrittenDown }
    return path
  }
}
