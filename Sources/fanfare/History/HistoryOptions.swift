internal import CommandLineKit
internal import PushModel
internal import SQLiteHistory

/// Which history is asked.
struct HistoryOptions: Sendable, Equatable {
  var history: String?
  var profile: String?

  static let group = OptionGroup<Self>(
    "History",
    [
      .option(
        "history", \.history, value: "FILE", help: "The database of what was sent.",
        completion: .file, environment: EnvironmentVariable.history.rawValue),
      NamedProfile.option(\.profile),
    ])

  /// Opens the history.
  ///
  /// - Throws: `Failure.history`, `missing` among others.
  func open(_ context: Context) throws(Failure) -> HistoryReader {
    let path = try path(context)
    do throws(HistoryError) {
      return try HistoryReader(path)
    } catch {
      throw .history(error)
    }
  }

  /// The history's file.
  ///
  /// - Throws: `Failure.nothingWrittenDown` where there is no home.
  func path(_ context: Context) throws(Failure) -> String {
    guard let path = try context.naming(profile).historyPath(history) else {
      throw .nothingWrittenDown
    }
    return path
  }
}
