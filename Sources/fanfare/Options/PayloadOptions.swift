public import APNS
public import CommandLineKit
internal import JSONText
internal import Settings

// The options for content other than the usual keys of an alert.
extension SettingOptions {
  static let payloadRows: [Parameter<Settings>] = [
    .option(
      "payload", of: PayloadArgument.self, value: "FILE|JSON",
      help: "A JSON file, the JSON itself, or '-' for standard input.", completion: .file
    ) { settings, word, _ in
      switch word {
      case .file(let path): settings.payload = Setting(path, .setting("--payload"))
      case .text(let text): settings.payloadText = Setting(text, .setting("--payload"))
      }
    },
    .setting(
      "example", \.example, value: "NAME",
      help: "A payload that comes with fanfare; 'fanfare example' lists them.",
      completion: .words(ExamplePayload.names)),
  ]
}

extension Parameter<Settings> {
  /// An option that changes the payload.
  static func change(_ option: PayloadOption) -> Self {
    switch option.form {
    case .changes: .change(option, of: PayloadChange.self)
    case .text: .change(option, of: String.self)
    case .texts: .change(option, of: TextsArgument.self)
    case .wholeNumber: .change(option, of: Int.self)
    case .number: .change(option, of: NumberArgument.self)
    case .level: .change(option, of: InterruptionLevel.self)
    case .event: .change(option, of: LiveActivityEvent.self)
    case .object: .change(option, of: ObjectArgument.self)
    case .moment: .change(option, of: MomentArgument.self)
    case .members: .change(option, of: DataArgument.self)
    case .yes: .flag(option.name, help: option.help) { $0.take(true, for: option) }
    case .volume:
      .option(
        option.name, ofOptional: VolumeArgument.self, value: option.placeholder, help: option.help
      ) { $0.take($1?.value.json ?? true, for: option) }
    }
  }

  private static func change<Word: SettingWord>(
    _ option: PayloadOption, of words: Word.Type
  ) -> Self {
    .option(
      option.name, of: words, isRepeatable: option.form.isRepeatable, value: option.placeholder,
      help: option.help
    ) { settings, word, _ in settings.take(word.value.json, for: option) }
  }
}

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

  var value: Self { self }
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

extension LiveActivityEvent: SettingWord {
  var value: Self { self }
}

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
