internal import Opening
internal import PushModel
internal import Reporting
internal import Runs
internal import SQLHistory
internal import Settings

extension Settings {
  /// The history with the queue.
  ///
  /// - Throws: `Failure` when it is a file, or otherwise unusable.
  func queueLocation(_ context: Context) throws(Failure) -> String {
    let location = try requiredHistoryPath(context)
    guard HistoryLocation(location).hasQueue else {
      throw .history(.noQueue(path: location))
    }
    return location
  }
}
