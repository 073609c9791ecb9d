internal import APNS
internal import CommandLineKit
internal import Projects

// Rows of tables of options that fill settings, with the option as the origin.
extension Parameter<Settings> {
  /// An option that is given once.
  static func setting<Word: SettingWord>(
    _ name: String, _ place: CommandLineKit.Place<Settings, Setting<Word.Value>?>,
    of words: Word.Type,
    value: String, help: String, completion: Completion = .none,
    environment: EnvironmentVariable? = nil
  ) -> Self {
    .option(
      name, of: words, value: value, defaultText: Settings.builtIn[keyPath: place]?.value.shown,
      help: help, completion: completion, environment: environment?.rawValue
    ) { settings, word, _ in
      settings[keyPath: place] = Setting(word.value, .setting("--" + name))
    }
  }

  /// An option with a text that is given once.
  static func setting(
    _ name: String, _ place: CommandLineKit.Place<Settings, Setting<String>?>, value: String,
    help: String,
    completion: Completion = .none, environment: EnvironmentVariable? = nil
  ) -> Self {
    .setting(
      name, place, of: String.self, value: value, help: help, completion: completion,
      environment: environment)
  }

  /// A switch.
  static func setting(
    _ name: String, _ place: CommandLineKit.Place<Settings, Setting<Bool>?>,
    short: Character? = nil,
    sets value: Bool = true, help: String
  ) -> Self {
    .flag(name, short: short, help: help) { settings in
      settings[keyPath: place] = Setting(value, .setting("--" + name))
    }
  }

  /// An option that may be given more than once.
  static func settings<Word: SettingWord>(
    _ name: String, _ place: CommandLineKit.Place<Settings, Setting<[Word.Value]>?>,
    of words: Word.Type,
    value: String, help: String, completion: Completion = .none
  ) -> Self {
    .option(
      name, of: words, isRepeatable: true, value: value, help: help, completion: completion
    ) { settings, word, _ in
      let values = settings[keyPath: place]?.value ?? []
      settings[keyPath: place] = Setting(values + [word.value], .setting("--" + name))
    }
  }

  /// An option that names a file with a secret in it.
  static func secret(
    _ name: String, _ place: CommandLineKit.Place<Settings, Setting<SecretPlace>?>, help: String,
    environment: EnvironmentVariable
  ) -> Self {
    .option(
      name, of: String.self, value: "FILE", help: help, completion: .file,
      environment: environment.rawValue
    ) { settings, path, _ in
      settings[keyPath: place] = Setting(.file(path), .setting("--" + name))
    }
  }

  /// An option that is a header of its own.
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
