internal import APNS
package import CommandLineKit
internal import JSONText
package import Reporting

/// The option of a setting: creates a parameter for the property that it fills.
struct SettingOption<Value: SettingValue>: Sendable {
  /// The long name, without dashes.
  let name: String
  let parameter: @Sendable (SettingPlace<Value>) -> Parameter<Settings>

  /// An option that may be given once.
  static func value<Word: SettingWord>(
    _ name: String, _ words: Word.Type, _ placeholder: String, help: String,
    completion: Completion = .none, variable: EnvironmentVariable? = nil
  ) -> Self where Word.Value == Value {
    Self(name: name) { place in
      .option(
        name, of: words, value: placeholder, defaultText: place.defaultText, help: help,
        completion: completion, environment: variable?.rawValue
      ) { settings, word, _ in place.say(word.value, name, in: &settings) }
    }
  }

  /// A repeatable option.
  static func each<Word: SettingWord>(
    _ name: String, _ words: Word.Type, _ placeholder: String, help: String,
    completion: Completion = .none
  ) -> Self where Value == [Word.Value] {
    Self(name: name) { place in
      .option(
        name, of: words, isRepeatable: true, value: placeholder, help: help, completion: completion
      ) { settings, word, _ in
        place.say((place.get(settings)?.value ?? []) + [word.value], name, in: &settings)
      }
    }
  }
}

extension SettingOption<String> {
  /// An option that takes text.
  static func text(
    _ name: String, _ placeholder: String, help: String, completion: Completion = .none,
    variable: EnvironmentVariable? = nil
  ) -> Self {
    .value(
      name, String.self, placeholder, help: help, completion: completion, variable: variable)
  }

  /// `--payload`, which takes a file or the payload itself.
  static var payload: Self {
    Self(name: "payload") { place in
      .option(
        "payload", of: PayloadArgument.self, value: "FILE|JSON",
        help: "A JSON file, the JSON itself, or '-' for standard input.", completion: .file
      ) { settings, word, _ in
        switch word {
        case .file(let path): place.say(path, "payload", in: &settings)
        case .text(let text): settings.payloadText = Setting(text, .setting("--payload"))
        }
      }
    }
  }
}

extension SettingOption<Bool> {
  /// A flag.
  static func flag(
    _ name: String, short: Character? = nil, sets value: Bool = true, help: String
  ) -> Self {
    Self(name: name) { place in
      .flag(name, short: short, help: help) { place.say(value, name, in: &$0) }
    }
  }
}

extension SettingOption<Int> {
  /// An option that takes a number. `things` names what is counted.
  static func number(
    _ name: String, of things: String, in range: ClosedRange<Int>, help: String
  ) -> Self {
    Self(name: name) { place in
      .option(
        name, of: String.self, value: "N", defaultText: place.defaultText, help: help
      ) { (settings, word, _) throws(BadValue) in
        guard let count = Int(word), range ~= count else {
          let bounds =
            range.upperBound == .max
            ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
          throw .expected("a number of \(things), \(bounds)")
        }
        place.say(count, name, in: &settings)
      }
    }
  }
}

extension SettingOption<SecretLocation> {
  /// An option that names a file with a secret.
  static func secret(_ name: String, help: String, variable: EnvironmentVariable) -> Self {
    Self(name: name) { place in
      .option(
        name, of: String.self, value: "FILE", help: help, completion: .file,
        environment: variable.rawValue
      ) { settings, path, _ in place.say(.file(path), name, in: &settings) }
    }
  }
}

extension SettingOption<JSONFields> {
  /// `--json`, alone or with the fields to print.
  static func json(help: String) -> Self {
    Self(name: "json") { place in .json(help: help) { place.say($1, "json", in: &$0) } }
  }
}

extension Parameter {
  /// `--json`, alone or with the fields to print: `--json=outcome,apnsID`.
  package static func json(
    help: String, store: @escaping @Sendable (inout Root, JSONFields) -> Void
  ) -> Self {
    .option("json", ofOptional: JSONFieldsArgument.self, value: "FIELDS", help: help) {
      store(&$0, $1?.value ?? .all)
    }
  }
}

extension Parameter<Settings> {
  /// `--var`, repeatable, once per placeholder.
  static var variable: Self {
    .option(
      "var", of: VariableArgument.self, isRepeatable: true, value: "NAME=VALUE",
      help: "Text for the placeholder {{NAME}}, unless a list supplies it."
    ) { (settings, word, _) throws(BadValue) in
      if settings.variables[word.name] != nil { throw .because("'\(word.name)' is given twice") }
      settings.variables[word.name] = Setting(JSON(.string(word.value)), .setting("--var"))
    }
  }

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
