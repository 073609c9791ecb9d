internal import APNS
internal import CommandLineKit
internal import History
internal import Projects
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
        "history", \.history, value: "FILE", help: "The history database.",
        completion: .file, environment: EnvironmentVariable.history.rawValue),
      .option(
        "profile", \.profile, value: "NAME", help: ProfileOption.help,
        environment: EnvironmentVariable.profile.rawValue),
    ])

  /// Opens the history.
  ///
  /// - Throws: `Failure.history`, `missing` among others.
  func open(_ context: Context) throws(Failure) -> any HistoryStore {
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
    var options = Settings()
    options.history = history.map { Setting($0, .setting("--history")) }
    options.profile = profile.map { Setting($0, .setting("--profile")) }
    let settings = try options.merged(reading: [.telling], context)
    guard let path = try settings.historyPath() else { throw .nothingWrittenDown }
    return path
  }
}
