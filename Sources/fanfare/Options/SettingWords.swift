internal import APNS
internal import CommandLineKit
internal import HistoryCommands
internal import JSONText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Settings

/// A word of the command line that is a setting or part of one.
protocol SettingWord: ArgumentValue {
  associatedtype Value: SettingValue

  /// The setting's value.
  var value: Value { get }
}

extension String: SettingWord {
  var value: String { self }
}

extension Int: SettingWord {
  var value: Int { self }
}

/// The environments with names for `--env`.
enum EnvironmentName: String, SettingWord, CaseIterable {
  case production
  case sandbox
  case emulator
  case inbox
  case auto

  var value: EnvironmentSetting {
    switch self {
    case .production: .named(.production)
    case .sandbox: .named(.sandbox)
    case .emulator: .named(.emulator)
    case .inbox: .inbox
    case .auto: .auto
    }
  }
}

/// The condition for showing the progress line.
enum ProgressWord: String, SettingWord, CaseIterable {
  case auto
  case never

  var value: Bool { self == .auto }
}

/// A device token, or the name of a device.
struct TokenArgument: SettingWord, Equatable {
  let value: Addressee

  init(argument word: String) throws(BadValue) {
    do throws(DeviceTokenError) {
      value = .token(try DeviceToken(tidying: word))
    } catch {
      value = .written(try Self.name(word, error))
    }
  }

  /// A name to look up. Anything that was clearly meant as a device token is refused.
  private static func name(_ word: String, _ error: DeviceTokenError) throws(BadValue) -> String {
    if error == .looksLikeBase64 || Device.isName(word) && !error.isOfToken(word) { return word }
    if case .notHex = error, !Device.isSlip(word), word.first?.isLetter ?? false {
      throw .secretBecause("it is neither a device token nor the name of a device")
    }
    throw .secretBecause(error.clause)
  }

  var argumentText: String { value.shown }
}

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

/// `KEY=JSON`, one of the app's own keys.
struct DataArgument: SettingWord, Equatable {
  let value: JSONMember

  init(argument word: String) throws(BadValue) {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw .expected("KEY=JSON")
    }
    let key = String(word[..<equals])
    if key.hasPrefix("aps.") {
      throw .because("that would be a key beside 'aps'; a key in 'aps' is set by --set \(key):=")
    }
    if key == "aps" { throw .because("'aps' is Apple's part; it has options of its own") }
    do throws(JSONSyntaxError) {
      let json = try JSONReader().read(Array(word[word.index(after: equals)...].utf8))
      value = JSONMember(key: key, value: json)
    } catch {
      throw .because("what follows '=' is not JSON (text needs double quotes, as in name=\"Ada\")")
    }
  }

  var argumentText: String { "\(value.key)=\(value.value.encodedString(.compact))" }
}

/// A number in the payload, kept in its original form.
struct NumberArgument: SettingWord, Equatable {
  let value: JSONNumber

  init(argument word: String) throws(BadValue) {
    guard let number = JSONNumber(parsing: word) else { throw .expected("a number") }
    value = number
  }

  var argumentText: String { value.text }
}

extension TimeLength: SettingWord {
  init(argument word: String) throws(BadValue) {
    guard let length = Self(text: word) else {
      throw .expected("a length of time such as 500ms, 30s or 2m, at most 24h")
    }
    self = length
  }

  var argumentText: String { text }

  var value: TimeLength { self }
}

extension WrittenRate: SettingWord {
  init(argument word: String) throws(BadValue) {
    guard let rate = Self(word) else {
      throw .expected("a number of pushes such as 500, 500/s or 30/m, at most 1000000/s")
    }
    self = rate
  }

  var argumentText: String { text }

  var value: WrittenRate { self }
}

extension ConnectionCount: SettingWord {
  init(argument word: String) throws(BadValue) {
    guard let count = Self(word) else {
      let numbers = Self.numbers
      throw .expected(
        "'auto' or a number of connections, \(numbers.lowerBound) to \(numbers.upperBound)")
    }
    self = count
  }

  var argumentText: String { text }

  var value: ConnectionCount { self }
}

/// `NAME,…`: the fields of a JSON line.
struct JSONFieldsArgument: SettingWord, Equatable {
  let value: JSONFields

  init(argument word: String) throws(BadValue) {
    guard let fields = JSONFields(text: word) else {
      throw .expected("names of fields with commas between, such as outcome,apnsID")
    }
    value = fields
  }

  var argumentText: String { value.shown }
}

/// A TCP port.
struct PortArgument: SettingWord, Equatable {
  let port: UInt16

  init(port: UInt16) { self.port = port }

  init(argument word: String) throws(BadValue) {
    guard let port = UInt16(word) else { throw .expected("a port, 0 to 65535") }
    self.port = port
  }

  var argumentText: String { String(port) }

  var value: UInt16 { port }
}

extension RecipientReader.Duplicates: SettingWord {
  var value: Self { self }
}

extension ListFormat: SettingWord {
  var value: Self { self }
}

/// The interruption level of a notification (Apple: Generating a remote notification).
enum InterruptionLevel: String, SettingWord, CaseIterable {
  case passive
  case active
  case timeSensitive = "time-sensitive"
  case critical

  var value: String { rawValue }
}

/// `NAME,NAME`: columns of lists.
struct ColumnsArgument: SettingWord, Equatable {
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

/// `K/N`: one of N parts of the device tokens.
struct ShardArgument: SettingWord, Equatable {
  let value: Shard

  init(argument word: String) throws(BadValue) {
    guard let shard = Shard(text: word) else {
      throw .expected("K/N, such as 1/4 for the first of four parts")
    }
    value = shard
  }

  var argumentText: String { value.shown }
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

/// `NAME=VALUE`: text for a placeholder, for recipients without a value of their own.
struct VariableArgument: ArgumentValue, Equatable {
  let name: String
  let value: String

  init(argument word: String) throws(BadValue) {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw .expected("NAME=VALUE")
    }
    name = String(word[..<equals])
    value = String(word[word.index(after: equals)...])
    if !Template.isName(name) {
      throw .because("a name is made of letters, digits, '_', '-' and dots, and is not 'now'")
    }
  }

  var argumentText: String { "\(name)=\(value)" }
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
