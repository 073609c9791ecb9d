internal import APNS
internal import CommandLineKit
internal import HistoryCommands
internal import PushModel

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
  let number: RunNumber

  init(argument word: String) throws(BadValue) {
    guard let number = Int64(word).flatMap({ RunNumber(rawValue: $0) }) else {
      throw .expected("the number of a run, as summaries show it")
    }
    self.number = number
  }

  var argumentText: String { "\(number)" }
}
