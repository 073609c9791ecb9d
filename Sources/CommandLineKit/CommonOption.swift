import PlainText

/// An option with a value that every command takes, at any place on the command line.
///
/// It is removed from the words before a command parses them, so that it also applies to errors
/// about the other words.
public struct CommonOption<Value: ArgumentValue>: Sendable {
  /// The option as data, for ``Tool/common``.
  public let description: ParameterDescription

  /// Creates an option.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - value: The value's placeholder in help.
  ///   - defaultText: The default as a word; nil for none.
  ///   - help: One sentence of at most 80 columns.
  ///   - completion: The words that shells offer; a type with choices always offers those.
  ///   - environment: The variable that can be used instead, shown in help only; nil for none.
  public init(
    _ name: String, value: String, defaultText: String? = nil, help: String,
    completion: Completion = .none, environment: String? = nil
  ) {
    var row = ParameterDescription(name: name, kind: .option, help: help)
    row.value = value
    row.defaultText = defaultText
    row.closedSet = ClosedSet { Value.choices }
    row.openCompletion = completion
    row.environment = environment
    description = row
  }

  /// Removes the option and its value from the words.
  ///
  /// - Parameter words: The words after the program's name; those after `--` are left alone.
  /// - Returns: The value; nil if the option is absent.
  /// - Throws: `UsageProblem`; `words` is not usable then.
  public func take(from words: inout [String]) throws(UsageProblem) -> Value? {
    let label = description.label
    let options = words.prefix { $0 != "--" }
    let places = options.indices.filter {
      options[$0] == label || options[$0].hasPrefix(label + "=")
    }
    guard let place = places.first else { return nil }
    if places.count > 1 { throw .repeated(label) }
    let word = words.remove(at: place)
    return try value(of: try word == label ? next(in: &words, at: place) : behindSign(of: word))
  }

  private func behindSign(of word: String) -> String {
    String(word.dropFirst(description.label.count + 1))
  }

  private func next(in words: inout [String], at place: Int) throws(UsageProblem) -> String {
    let word = place < words.endIndex ? words[place] : nil
    guard let word, !word.isOption else {
      throw .missingValue(
        description.label, value: description.value ?? "", isDashed: word != nil && word != "--")
    }
    return words.remove(at: place)
  }

  private func value(of text: String) throws(UsageProblem) -> Value {
    do {
      return try Value(argument: text)
    } catch {
      let near = error == .notAChoice ? Suggestion.near(text, among: Value.choices) : []
      throw .badValue(
        description.label, text: text, why: error, choices: Value.choices, near: near)
    }
  }
}

extension CommandDescription {
  /// Adds the common options to the last group of this command and of its descendants.
  func adding(_ common: [ParameterDescription]) -> Self {
    if common.isEmpty { return self }
    var whole = self
    whole.subcommands = subcommands.map { $0.adding(common) }
    if var last = whole.groups.popLast() {
      last.parameters = common + last.parameters
      if last.parameters.last == .help { last.title = GroupDescription.common }
      whole.groups.append(last)
    }
    return whole
  }
}

extension GroupDescription {
  /// The title of the group that holds the common options.
  static let common = "Common"
}
