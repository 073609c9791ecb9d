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

extension SettingOption<[Addressee]> {
  /// `--to`, which takes device tokens and names, or lists like `--tokens`.
  static var to: Self {
    Self(name: "to") { place in
      .option(
        "to", of: RecipientsArgument.self, isRepeatable: true, value: "TOKEN",
        help: "Device tokens, or names of devices or groups; '-' or @FILE for a list.",
        completion: .lines(of: ["device", "list", "--names"])
      ) { settings, word, _ in
        switch word {
        case .addressees(let more):
          place.say((place.get(settings)?.value ?? []) + more, "to", in: &settings)
        case .list(let path): settings.addLists([path])
        }
      }
    }
  }
}

extension Settings {
  /// Adds lists that `--to` names.
  mutating func addLists(_ paths: [String]) {
    if paths.isEmpty { return }
    tokens = Setting((tokens?.value ?? []) + paths, .setting("--to"))
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

extension SettingOption<Consent> {
  /// `--yes`, alone or for a plan.
  static func consent(help: String) -> Self {
    Self(name: "yes") { place in
      .option("yes", ofOptional: PlanID.self, short: "y", value: "ID", help: help) {
        place.say($1.map(Consent.plan) ?? .always, "yes", in: &$0)
      }
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
    case .wholeNumber: .change(option, of: WholeNumberArgument.self)
    case .number: .change(option, of: NumberArgument.self)
    case .level: .change(option, of: LevelArgument.self)
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

/// The variables of fanfare: the layer below options and scenarios, and above profiles.
package enum EnvironmentVariable: String, CaseIterable {
  case key = "FANFARE_KEY"
  case keyID = "FANFARE_KEY_ID"
  case teamID = "FANFARE_TEAM_ID"
  case keyPassword = "FANFARE_KEY_PASSWORD"
  case certificate = "FANFARE_CERT"
  case certificatePassword = "FANFARE_CERT_PASSWORD"
  case bundleID = "FANFARE_BUNDLE_ID"
  case environment = "FANFARE_ENV"
  case server = "FANFARE_SERVER"
  case roots = "FANFARE_CA"
  case history = "FANFARE_HISTORY"
  case profile = "FANFARE_PROFILE"
  case config = "FANFARE_CONFIG"
  case trustProject = "FANFARE_TRUST_PROJECT"
  case confirm = "FANFARE_CONFIRM"

  /// The value is always a path.
  var isPath: Bool { self == .roots || self == .history }

  /// The value says yes or no.
  var isAnswer: Bool { self == .trustProject || self == .confirm }

  /// The words for yes and no, in lower case.
  static let answers = [
    "1": true, "true": true, "yes": true, "on": true,
    "0": false, "false": false, "no": false, "off": false,
  ]

  /// The purpose of the variable, in help and manual.
  package var meaning: String {
    switch self {
    case .key:
      "The signing key: a path, PEM text (also on one line with \\n), or base64 of PEM or DER."
    case .keyID: "The key ID of the key in FANFARE_KEY."
    case .teamID: "The team ID of the key in FANFARE_KEY."
    case .keyPassword: "The password of an encrypted key, unless --key-password-file is given."
    case .certificate:
      "A client certificate with its key, instead of FANFARE_KEY: a path, PEM text, or base64."
    case .certificatePassword:
      "The password of a certificate or its key, unless --cert-password-file is given."
    case .bundleID: "Used if --bundle-id is not given."
    case .environment: "Used if --env is not given."
    case .server: "Used if --server is not given."
    case .roots: "Used if --ca is not given."
    case .history: "Used if --history is not given."
    case .profile: "Used if --profile is not given."
    case .config: "Used if --config is not given."
    case .trustProject: "'yes' has the effect of --trust-project."
    case .confirm:
      "'yes' demands an answer: without a terminal, what would be asked on one needs --yes."
    }
  }
}

/// The key of a setting in profiles, which has the name of the setting's row.
struct ProfileKey: Sendable {
  private let shape: @Sendable () -> FileShape
  private let help: String
  /// A sentence about invalid text, and the fix; nil if the shape says all.
  let fault: (message: String, fix: String)?
  /// Scenarios or devices have it, too: ``SettingsReader`` reads it.
  let isShared: Bool
  /// The value is a length of time: of text that is none, the shape tells.
  private(set) var isTime = false

  init(
    _ shape: @autoclosure @escaping @Sendable () -> FileShape, help: String, isShared: Bool = false
  ) {
    (self.shape, self.help, self.isShared) = (shape, help, isShared)
    fault = nil
  }

  init(
    _ shape: @autoclosure @escaping @Sendable () -> FileShape, help: String, fault: String,
    fix: String
  ) {
    (self.shape, self.help, self.fault) = (shape, help, (fault, fix))
    isShared = false
  }

  /// A length of time.
  static func time(help: String) -> Self {
    var key = Self(
      .timeSpan, help: help, fault: "The time must not be zero.", fix: "Write at least \"1ms\".")
    key.isTime = true
    return key
  }

  func key(_ name: String) -> FileKey { FileKey(name, shape(), help: help) }
}
