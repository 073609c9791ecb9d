/// A flag, an option or an argument, as data.
public struct ParameterDescription: Sendable, Equatable {
  /// How a parameter is written.
  public enum Kind: Sendable {
    /// `--name` and nothing more.
    case flag
    /// `--name` or `--no-name`.
    case toggle
    /// `--name VALUE`.
    case option
    /// A word on its own.
    case argument
  }

  /// The long name, without dashes.
  public var name: String
  /// How it is written.
  public var kind: Kind
  /// One sentence.
  public var help: String
  /// The short name; nil for none.
  public var short: Character?
  /// What the value is called; nil for flags.
  public var value: String?
  /// The default as a word; nil when there is none. A flag has one only when it changes nothing.
  public var defaultText: String?
  /// The closed set of values, made when it is asked for: a command line needs few of them.
  var closedSet = ClosedSet.none
  /// What shells offer for a value of an open set.
  var openCompletion = Completion.none
  /// Whether the option may stand alone: then a value follows `=` and is never a word of its own.
  public var isValueOptional = false
  /// Whether it may be given more than once.
  public var isRepeatable = false
  /// Whether leaving it out is an error.
  public var isRequired = false
  /// The environment variable that can be used instead; nil for none.
  public var environment: String?

  init(name: String, kind: Kind, help: String, short: Character? = nil) {
    self.name = name
    self.kind = kind
    self.help = help
    self.short = short
  }

  /// The closed set of values; empty when it is open.
  public var choices: [String] { closedSet.words() }

  /// What shells offer for the value.
  public var completion: Completion { choices.isEmpty ? openCompletion : .choices }

  /// What errors and help call it: `--name`, or `NAME` for an argument.
  public var label: String { kind == .argument ? value ?? name : "--" + name }

  /// The name with its value, as help shows it: `--name VALUE`, or `--name[=VALUE]`.
  var labelWithValue: String {
    guard let value, kind == .option else { return label }
    return isValueOptional ? "\(label)[=\(value)]" : "\(label) \(value)"
  }

  /// Whether its words are paths.
  var isPath: Bool { completion == .file || completion == .folder }

  /// `--no-name`; nil unless it is a toggle.
  public var negation: String? { kind == .toggle ? "--no-" + name : nil }

  /// Every way to write it, the short one first; nothing for an argument.
  public var spellings: [String] {
    guard kind != .argument else { return [] }
    return [short.map { "-\($0)" }, label, negation].compactMap(\.self)
  }

  /// Whether `word` is one of ``spellings``, found without making them: a command line compares each
  /// of its options with most rows of a table.
  func isSpelled(_ word: String) -> Bool {
    guard kind != .argument else { return false }
    guard word.utf8.starts(with: "--".utf8) else { return short.map { word == "-\($0)" } ?? false }
    let bare = word.utf8.dropFirst(2)
    return bare.elementsEqual(name.utf8) || kind == .toggle && word == negation
  }

  static let help = ParameterDescription(
    name: "help", kind: .flag, help: "Show this help.", short: "h")
  static let version = ParameterDescription(
    name: "version", kind: .flag, help: "Show the version.")
}

/// The words of a type, which are made anew each time.
struct ClosedSet: Sendable, Equatable {
  static let none = Self { [] }
  let words: @Sendable () -> [String]

  static func == (one: Self, other: Self) -> Bool { one.words() == other.words() }
}

/// What shells offer for a value.
public enum Completion: Sendable, Equatable {
  /// Nothing.
  case none
  /// Names of files.
  case file
  /// Names of folders.
  case folder
  /// The type's choices.
  case choices
  /// These words; others may be as good.
  case words([String])
  /// The lines that the tool prints when these words follow its name.
  case lines(of: [String])
}
