internal import APNS
internal import CommandLineKit
internal import History
internal import HistoryCommands
internal import PushModel
internal import Reporting
internal import Runs
internal import Settings

/// `NAME:VALUE`, a header without an option of its own.
struct HeaderArgument: ArgumentValue, Equatable {
  let name: HeaderName
  let value: String

  init(argument word: String) throws(BadValue) {
    guard let colon = word.firstIndex(of: ":"),
      let name = try? HeaderName(word[..<colon])
    else { throw .expected("NAME:VALUE") }
    if HeaderName.typed.contains(name) { throw .because("this header has an option of its own") }
    self.name = name
    let value = word[word.index(after: colon)...]
    self.value = String(value.hasPrefix(" ") ? value.dropFirst() : value)
  }

  var argumentText: String { "\(name):\(value)" }
}

/// `NAME,NAME`: columns of lists.
struct ColumnsArgument: ArgumentValue, Equatable {
  let value: [String]

  init(argument word: String) throws(BadValue) {
    let names = word.split(separator: ",", omittingEmptySubsequences: false).map { name in
      name.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    if names.contains("") { throw .expected("names of columns, such as user_id,locale") }
    if let name = names.first(where: isResultColumn) {
      throw .because("'\(name)' is a key of the results already")
    }
    if let name = names.first(where: { one in names.count { $0 == one } > 1 }) {
      throw .because("'\(name)' is given twice")
    }
    value = names
  }

  var argumentText: String { value.joined(separator: ",") }
}

/// The name or identifier of a simulator.
struct DeviceName: ArgumentValue, Equatable {
  let text: String

  init(argument word: String) throws(BadValue) {
    if word.isEmpty || word.hasPrefix("-") { throw .expected("the name of a simulator") }
    text = word
  }

  var argumentText: String { text }
}

/// The number of a run in the history.
struct RunArgument: ArgumentValue, Equatable {
  /// Nil for the newest run.
  let number: RunNumber?

  init(argument word: String) throws(BadValue) {
    switch try? HistoryReference(argument: word) {
    case .run(let number): self.number = number
    case .last: number = nil
    case .push, nil:
      throw .expected("the number of a run, as summaries show it, or 'last' for the newest")
    }
  }

  var argumentText: String { number.map { "\($0)" } ?? "\(HistoryReference.last)" }

  /// The number of the run, looked up for the newest.
  ///
  /// - Parameter settings: the history's place.
  func number(in settings: Settings, _ context: Context) throws(Failure) -> RunNumber {
    if let number { return number }
    return try settings.openHistory(context).newestStoredRun().entry.run
  }
}
