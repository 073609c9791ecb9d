internal import Opening
internal import PushModel
package import Reporting
internal import Runs
internal import SQLHistory
package import Settings

extension Settings {
  /// The history with the queue.
  ///
  /// - Throws: `Failure` when it is a file, or otherwise unusable.
  func queueLocation(_ context: Context) throws(Failure) -> String {
    let location = try requiredHistoryPath(context)
    guard HistoryLocation(location).isPostgreSQL else {
      throw .history(.noQueue(path: location))
    }
    return location
  }
}
