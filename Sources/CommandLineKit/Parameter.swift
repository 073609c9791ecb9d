/// The property of `Root` that holds a parameter's value.
///
/// Rows take it as an autoclosure: creating a key path costs thousands of instructions, and a
/// command line uses few of a table's rows.
public typealias ParameterPlace<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// One row of a command's table: the name and purpose of a flag, an option or an argument, and the
/// stored property of `Root` that it fills.
public struct Parameter<Root>: Sendable {
  /// The row as data, without its default.
  public let row: ParameterDescription
  let effect: Effect<Root>
  let initial: @Sendable (Root) -> String?

  /// The row as data, with its default read from `root`.
  func described(in root: Root) -> ParameterDescription {
    var description = row
    description.defaultText = initial(root)
    return description
  }

  /// The long name, without dashes.
  public var name: String { row.name }

  /// The same parameter with another sentence in help.
  public func explained(_ help: String) -> Self {
    var row = row
    row.help = help
    return Self(row: row, effect: effect, initial: initial)
  }

  /// The same parameter for a command that has `Root` as a part.
  public func inside<Whole>(
    _ part: @autoclosure @escaping @Sendable () -> ParameterPlace<Whole, Root>
  ) -> Parameter<Whole> {
    let initial = initial
    return Parameter<Whole>(
      row: row, effect: effect.inside(part), initial: { initial($0[keyPath: part()]) })
  }
}

/// The effect of a parameter on `Root`.
enum Effect<Root>: Sendable {
  case takesWord(@Sendable (inout Root, String, _ isFirst: Bool) throws(BadValue) -> Void)
  case mayTakeWord(@Sendable (inout Root, String?) throws(BadValue) -> Void)
  case switches(@Sendable (inout Root, Bool) -> Void)

  func inside<Whole>(_ part: @escaping @Sendable () -> ParameterPlace<Whole, Root>) -> Effect<Whole>
  {
    switch self {
    case .takesWord(let take):
      .takesWord { (whole, word, isFirst) throws(BadValue) in
        try take(&whole[keyPath: part()], word, isFirst)
      }
    case .mayTakeWord(let take):
      .mayTakeWord { (whole, word) throws(BadValue) in try take(&whole[keyPath: part()], word) }
    case .switches(let set):
      .switches { whole, isOn in set(&whole[keyPath: part()], isOn) }
    }
  }
}

/// The parameters under one title in help.
public struct OptionGroup<Root>: Sendable {
  /// The title, such as "Credentials".
  public let title: String
  /// The rows, in the order of help.
  public let parameters: [Parameter<Root>]

  /// Creates a group.
  public init(_ title: String, _ parameters: [Parameter<Root>]) {
    self.title = title
    self.parameters = parameters
  }

  func described(in root: Root) -> GroupDescription {
    GroupDescription(title: title, parameters: parameters.map { $0.described(in: root) })
  }

  /// The same group for a command that has `Root` as a part.
  public func inside<Whole>(
    _ part: @autoclosure @escaping @Sendable () -> ParameterPlace<Whole, Root>
  ) -> OptionGroup<Whole> {
    OptionGroup<Whole>(title, parameters.map { $0.inside(part()) })
  }
}

/// A flag, an option or an argument, as data.
public struct ParameterDescription: Sendable, Equatable {
  /// The form of a parameter on the command line.
  public enum Kind: Sendable {
    /// `--name`, without a value.
    case flag
    /// `--name` or `--no-name`.
    case toggle
    /// `--name VALUE`.
    case option
    /// A positional word.
    case argument
  }

  /// The long name, without dashes.
  public var name: String
  /// The form on the command line.
  public var kind: Kind
  /// One sentence on its purpose.
  public var help: String
  /// The short name; nil for none.
  public var short: Character?
  /// The value's placeholder; nil for flags.
  public var value: String?
  /// The default as a word; nil for none. A flag has one only if it has no effect.
  public var defaultText: String?
  /// The closed set of values, created on demand: a command line needs few of them.
  var closedSet = ClosedSet.none
  /// The completion for a value of an open set.
  var openCompletion = Completion.none
  /// True if the value is optional. It then has to follow `=` and is never a word of its own.
  public var isValueOptional = false
  /// True if the parameter may be repeated.
  public var isRepeatable = false
  /// True if leaving the parameter out is an error.
  public var isRequired = false
  /// The environment variable that can be used instead; nil for none.
  public var environment: String?

  /// The closed set of values; empty for an open set.
  public var choices: [String] { closedSet.words() }

  /// The completion for the value.
  public var completion: Completion { choices.isEmpty ? openCompletion : .choices }

  /// The name in errors and help: `--name`, or `NAME` for an argument.
  public var label: String { kind == .argument ? value ?? name : "--" + name }

  /// The name with its value, as in help: `--name VALUE`, or `--name[=VALUE]`.
  var labelWithValue: String {
    guard let value, kind == .option else { return label }
    return isValueOptional ? "\(label)[=\(value)]" : "\(label) \(value)"
  }

  /// True if the values are paths.
  var isPath: Bool { completion == .file || completion == .folder }

  /// The form `--no-name`; nil unless this is a toggle.
  public var negation: String? { kind == .toggle ? "--no-" + name : nil }

  /// All spellings, the short one first; empty for an argument.
  public var spellings: [String] {
    guard kind != .argument else { return [] }
    return [short.map { "-\($0)" }, label, negation].compactMap(\.self)
  }

  /// True if `word` is one of ``spellings``. It avoids creating them, since a command line compares
  /// each of its options with most rows of a table.
  func isSpelled(_ word: String) -> Bool {
    guard kind != .argument else { return false }
    guard word.utf8.starts(with: "--".utf8) else { return short.map { word == "-\($0)" } ?? false }
    let bare = word.utf8.dropFirst(2)
    return bare.elementsEqual(name.utf8) || kind == .toggle && word == negation
  }

  static let help = ParameterDescription(
    name: "help", kind: .flag, help: "Show this help; -h shows a short one.", short: "h")
  static let version = ParameterDescription(
    name: "version", kind: .flag, help: "Show the version.")
}

/// The words of a type, created anew on each access.
struct ClosedSet: Sendable, Equatable {
  static let none = Self { [] }
  let words: @Sendable () -> [String]

  static func == (one: Self, other: Self) -> Bool { one.words() == other.words() }
}

/// The completions that shells offer for a value.
public enum Completion: Sendable, Equatable {
  /// Nothing.
  case none
  /// File names.
  case file
  /// Folder names.
  case folder
  /// The type's choices.
  case choices
  /// The given words; others may be valid too.
  case words([String])
  /// The lines that the tool prints if run with the given words.
  case lines(of: [String])
}
