internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushModel
internal import Recipients

/// The environments that `--env` names.
enum EnvironmentName: String, ArgumentValue, CaseIterable {
  case production
  case sandbox
  case emulator
  case auto

  var setting: EnvironmentSetting {
    switch self {
    case .production: .named(.production)
    case .sandbox: .named(.sandbox)
    case .emulator: .named(.emulator)
    case .auto: .auto
    }
  }
}

/// A device token on the command line.
struct TokenArgument: ArgumentValue, Equatable {
  let token: DeviceToken

  init(argument word: String) throws(BadValue) {
    do throws(DeviceTokenError) {
      token = try DeviceToken(tidying: word)
    } catch {
      throw .because(error.clause)
    }
  }

  var argumentText: String { token.tail }
}

/// `NAME:VALUE`, a header that this tool has no option for.
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
struct DataArgument: ArgumentValue, Equatable {
  let member: JSONMember

  init(argument word: String) throws(BadValue) {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw .expected("KEY=JSON")
    }
    let key = String(word[..<equals])
    if key == "aps" { throw .because("'aps' is Apple's part; it has options of its own") }
    do throws(JSONSyntaxError) {
      let value = try JSONReader().read(Array(word[word.index(after: equals)...].utf8))
      member = JSONMember(key: key, value: value)
    } catch {
      throw .because("what follows '=' is not JSON (text needs double quotes, as in name=\"Ada\")")
    }
  }

  var argumentText: String { "\(member.key)=\(member.value.encodedString(.compact))" }
}

/// A number of the payload, kept as it was written.
struct NumberArgument: ArgumentValue, Equatable {
  let number: JSONNumber

  init(argument word: String) throws(BadValue) {
    guard let number = JSONNumber(parsing: word) else { throw .expected("a number") }
    self.number = number
  }

  var argumentText: String { number.text }
}

/// A length of time such as `500ms`, `30s` or `2m`, at most a day; a bare number counts seconds.
struct DurationArgument: ArgumentValue, Equatable {
  private static let longest = 86_400_000

  let milliseconds: Int
  /// Whether nobody said it: then a profile may.
  private(set) var isPreset = false

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// What holds until somebody says otherwise.
  static func preset(milliseconds: Int) -> Self {
    var time = Self(milliseconds: milliseconds)
    time.isPreset = true
    return time
  }

  init(argument word: String) throws(BadValue) {
    let units: [(suffix: String, milliseconds: Int)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000),
    ]
    for unit in units where word.hasSuffix(unit.suffix) {
      guard let count = Int(word.dropLast(unit.suffix.count)),
        1...Self.longest / unit.milliseconds ~= count
      else { break }
      milliseconds = count * unit.milliseconds
      return
    }
    throw .expected("a length of time such as 500ms, 30s or 2m, at most 24h")
  }

  var argumentText: String {
    let units = [("h", 3_600_000), ("m", 60_000), ("s", 1000)]
    let unit = units.first { milliseconds % $0.1 == 0 }
    return unit.map { "\(milliseconds / $0.1)\($0.0)" } ?? "\(milliseconds)ms"
  }
}

/// So many pushes a second, or in another unit of time: `500`, `500/s`, `30/m`.
struct RateArgument: ArgumentValue, Equatable {
  let rate: PushRate
  let argumentText: String

  init(argument word: String) throws(BadValue) {
    guard let rate = PushRate(word) else {
      throw .expected("a number of pushes such as 500, 500/s or 30/m, at most 1000000/s")
    }
    self.rate = rate
    argumentText = word
  }
}

/// How often to try again.
struct RetryCount: ArgumentValue, Equatable {
  let count: Int
  /// Whether nobody said it: then a profile may.
  private(set) var isPreset = false

  init(count: Int) { self.count = count }

  /// What holds until somebody says otherwise.
  static func preset(_ count: Int) -> Self {
    var retries = Self(count: count)
    retries.isPreset = true
    return retries
  }

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), 0...100 ~= count else {
      throw .expected("a number of retries, 0 to 100")
    }
    self.count = count
  }

  var argumentText: String { String(count) }
}

/// A TCP port.
struct PortArgument: ArgumentValue, Equatable {
  let port: UInt16

  init(port: UInt16) { self.port = port }

  init(argument word: String) throws(BadValue) {
    guard let port = UInt16(word) else { throw .expected("a port, 0 to 65535") }
    self.port = port
  }

  var argumentText: String { String(port) }
}

/// How many connections to use.
struct ConnectionCount: ArgumentValue, Equatable {
  let count: Int

  init(count: Int) { self.count = count }

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), 1...64 ~= count else {
      throw .expected("a number of connections, 1 to 64")
    }
    self.count = count
  }

  var argumentText: String { String(count) }
}

/// What to do with a device token that occurs again.
enum DuplicateRule: String, ArgumentValue, CaseIterable {
  case first
  case send

  var rule: RecipientReader.Duplicates { self == .first ? .first : .send }
}

/// How a list is written whose name does not tell.
enum ListFormatName: String, ArgumentValue, CaseIterable {
  case txt
  case csv
  case jsonl

  var format: ListFormat {
    switch self {
    case .txt: .txt
    case .csv: .csv
    case .jsonl: .jsonl
    }
  }
}

/// The most pushes of a run.
struct PushLimit: ArgumentValue, Equatable {
  let count: Int

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), count > 0 else { throw .expected("a number of pushes, 1 or more") }
    self.count = count
  }

  var argumentText: String { String(count) }
}

/// `K/N`, a part of the device tokens.
struct ShardArgument: ArgumentValue, Equatable {
  let shard: Shard

  init(argument word: String) throws(BadValue) {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      let shard = Shard(number, of: count)
    else { throw .expected("K/N, such as 1/4 for the first of four parts") }
    self.shard = shard
  }

  var argumentText: String { "\(shard.number)/\(shard.count)" }
}

/// The name or the identifier of a simulator.
struct DeviceName: ArgumentValue, Equatable {
  let text: String

  init(argument word: String) throws(BadValue) {
    if word.isEmpty || word.hasPrefix("-") { throw .expected("the name of a simulator") }
    text = word
  }

  var argumentText: String { text }
}
