// The words of options that say what is sent.

public import APNS
public import CommandLineKit
internal import JSONText

/// `FILE`, `@FILE`, `-` or `@-`, or JSON, which begins with a brace.
enum PayloadArgument: ArgumentValue, Equatable {
  case file(String)
  case text(String)

  init(argument word: String) throws(BadValue) {
    if word.isEmpty {
      throw .expected("a file, or JSON such as '{\"aps\":{\"alert\":\"Hi\"}}'")
    } else if word.first(where: { !$0.isWhitespace }) == "{" {
      self = .text(word)
    } else if word.hasPrefix("["), (try? JSONReader().read(word)) != nil {
      throw .because("a payload is a JSON object, in braces, and not an array")
    } else if word.hasPrefix("@") {
      if word == "@" { throw .expected("a file behind '@'") }
      self = .file(String(word.dropFirst()))
    } else {
      self = .file(word)
    }
  }

  var argumentText: String {
    switch self {
    case .file(let path): path
    case .text(let text): text
    }
  }
}

extension PayloadChange: SettingWord {
  /// `PATH=TEXT`, `PATH:=JSON` or `PATH:=`.
  public init(argument word: String) throws(BadValue) {
    do throws(PayloadChangeTextError) { try self.init(word) } catch { throw error.badValue }
  }

  /// The change in its original form.
  public var argumentText: String { text }
}

extension PayloadChangeTextError {
  fileprivate var badValue: BadValue {
    switch self {
    case .noSign: .expected("PATH=TEXT or PATH:=JSON")
    case .emptyKey: .because("the path has an empty key; a dot in a key is written as '\\.'")
    case .badEscape: .because("in a path '\\' goes before '.', '=', ':' or another '\\'")
    case .tooDeep: .because("the path is deeper than 32 keys")
    case .notJSON(let path, _):
      .because("what \(path) is set to is not JSON (for text write = in place of :=)")
    }
  }
}

/// A text, or a JSON array of texts.
struct TextsArgument: SettingWord, Equatable {
  let value: [String]
  let argumentText: String

  init(argument word: String) throws(BadValue) {
    argumentText = word
    guard word.hasPrefix("[") else {
      value = [word]
      return
    }
    let array = (try? JSONReader().read(word))?.array
    guard let array, let texts = [String](json: JSON(.array(array))) else {
      throw .expected("a text, or a JSON array of texts such as [\"Ada\",\"7\"]")
    }
    value = texts
  }
}

/// The volume of a critical alert.
struct VolumeArgument: SettingWord, Equatable {
  let value: JSONNumber

  init(argument word: String) throws(BadValue) {
    guard let number = JSONNumber(parsing: word), 0...1 ~= number.double else {
      throw .expected("a volume from 0 to 1, such as --critical=0.5")
    }
    value = number
  }

  var argumentText: String { value.text }
}

/// A JSON object.
struct ObjectArgument: SettingWord, Equatable {
  let value: JSON

  init(argument word: String) throws(BadValue) {
    do throws(JSONSyntaxError) { value = try JSONReader().read(word) } catch {
      throw .because(
        "it is not JSON: in column \(error.position.column), \(error.message.dropLast())")
    }
    if value.object == nil { throw .expected("a JSON object such as {\"minutes\":5}") }
  }

  var argumentText: String { value.encodedString(.compact) }
}

extension LiveActivityEvent: SettingWord {}

/// A time, in the forms of `--expiration`, or text with placeholders.
struct MomentArgument: SettingWord, Equatable {
  let value: String

  init(argument word: String) throws(BadValue) {
    let isTime = (try? Expiration(word, now: 0)) != nil || ISO8601.written(word) != nil
    guard word.contains("{{") || isTime else {
      throw .expected("1h30m, seconds since 1970, or an ISO 8601 time such as 2026-11-22T10:00Z")
    }
    value = word
  }

  var argumentText: String { value }
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

/// A whole number that replaces the one before.
struct WholeNumberArgument: SettingWord, Equatable {
  let value: Int

  init(argument word: String) throws(BadValue) {
    if word.hasPrefix("+") { throw .because("APNs cannot count: give the number to show") }
    guard let number = Int(word) else { throw .expected("a whole number") }
    value = number
  }

  var argumentText: String { String(value) }
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

/// The interruption level of a notification (Apple: Generating a remote notification).
enum LevelArgument: String, SettingWord, CaseIterable {
  case passive
  case active
  case timeSensitive = "time-sensitive"
  case critical

  var value: String { rawValue }
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
