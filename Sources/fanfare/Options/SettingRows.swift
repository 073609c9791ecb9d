internal import APNS
internal import CommandLineKit
internal import Reporting
internal import Settings

/// A place in settings for a value of this type.
typealias SettingPlace<Value: SettingValue> = CommandLineKit.ParameterPlace<
  Settings, Setting<Value>?
>

extension Parameter {
  /// `--json`, alone or with the fields to print: `--json=outcome,apnsID`.
  static func json(
    help: String, store: @escaping @Sendable (inout Root, JSONFields) -> Void
  ) -> Self {
    .option("json", ofOptional: JSONFieldsArgument.self, value: "FIELDS", help: help) {
      store(&$0, $1?.value ?? .all)
    }
  }
}

// Options that fill settings, and record themselves as the origin.
extension Parameter<Settings> {
  /// An option that may be given once.
  static func setting<Word: SettingWord>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> SettingPlace<Word.Value>,
    of words: Word.Type,
    value: String, help: String, completion: Completion = .none,
    environment: EnvironmentVariable? = nil
  ) -> Self {
    .option(
      name, of: words, value: value, defaultText: Settings.builtIn[keyPath: place()]?.value.shown,
      help: help, completion: completion, environment: environment?.rawValue
    ) { settings, word, _ in
      settings[keyPath: place()] = Setting(word.value, .setting("--" + name))
    }
  }

  /// An option that takes text and may be given once.
  static func setting(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> SettingPlace<String>,
    value: String,
    help: String,
    completion: Completion = .none, environment: EnvironmentVariable? = nil
  ) -> Self {
    .setting(
      name, place(), of: String.self, value: value, help: help, completion: completion,
      environment: environment)
  }

  /// An option that takes a number and may be given once. `things` names what is counted.
  static func number(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> SettingPlace<Int>,
    of things: String, in range: ClosedRange<Int>, help: String
  ) -> Self {
    .option(
      name, of: String.self, value: "N",
      defaultText: Settings.builtIn[keyPath: place()]?.value.shown, help: help
    ) { (settings, word, _) throws(BadValue) in
      guard let count = Int(word), range ~= count else {
        let bounds =
          range.upperBound == .max
          ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        throw .expected("a number of \(things), \(bounds)")
      }
      settings[keyPath: place()] = Setting(count, .setting("--" + name))
    }
  }

  /// A flag.
  static func setting(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> SettingPlace<Bool>,
    short: Character? = nil,
    sets value: Bool = true, help: String
  ) -> Self {
    .flag(name, short: short, help: help) { settings in
      settings[keyPath: place()] = Setting(value, .setting("--" + name))
    }
  }

  /// `--json` as a setting, without a choice of fields.
  static var wholeJSON: Self {
    .flag("json", help: "Print one JSON object.") { $0.json = Setting(.all, .setting("--json")) }
  }

  /// `--json` as a setting.
  static func json(help: String) -> Self {
    .json(help: help) { $0.json = Setting($1, .setting("--json")) }
  }

  /// A repeatable option.
  static func settings<Word: SettingWord>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> SettingPlace<[Word.Value]>,
    of words: Word.Type,
    value: String, help: String, completion: Completion = .none
  ) -> Self {
    .option(
      name, of: words, isRepeatable: true, value: value, help: help, completion: completion
    ) { settings, word, _ in
      let values = settings[keyPath: place()]?.value ?? []
      settings[keyPath: place()] = Setting(values + [word.value], .setting("--" + name))
    }
  }

  /// An option that names a file with a secret.
  static func secret(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> SettingPlace<SecretLocation>,
    help: String,
    environment: EnvironmentVariable
  ) -> Self {
    .option(
      name, of: String.self, value: "FILE", help: help, completion: .file,
      environment: environment.rawValue
    ) { settings, path, _ in
      settings[keyPath: place()] = Setting(.file(path), .setting("--" + name))
    }
  }

  /// An option for a header.
  static func header(
    _ header: HeaderName, _ name: String, value: String, help: String,
    completion: Completion = .none
  ) -> Self {
    .option(name, of: String.self, value: value, help: help, completion: completion) {
      settings, text, _ in
      settings[header] = DraftField(header, text, from: .setting("--" + name))
    }
  }
}
