import PlainText

/// Parses the words after a command's name, looking up a row of the table for each word.
struct CommandParser<Root: Command> {
  private let parameters: [Parameter<Root>]
  private let common: [ParameterDescription]
  private let home: String?
  private var words: ArraySlice<String>
  private var root = Root()
  private var seen: Set<String> = []
  /// The preceding option if it takes an optional value and was given none.
  private var lone: String?

  init(_ words: [String], beside common: [ParameterDescription], home: String?) {
    (self.common, self.home) = (common, home)
    parameters = Root.groups.flatMap(\.parameters)
    self.words = words[...]
  }

  mutating func parse() throws(UsageProblem) -> Root {
    while let word = words.popFirst() {
      if word == "--" { break }
      if word.isOption {
        for option in flags(in: word) ?? [word] { try takeOption(option) }
      } else {
        try takeArgument(word)
        lone = nil
      }
    }
    while let word = words.popFirst() { try takeArgument(word) }
    try checkRequired()
    return root
  }

  private mutating func takeOption(_ word: String) throws(UsageProblem) {
    let (spelling, value) = split(word)
    guard let parameter = parameters.first(where: { $0.row.isSpelled(spelling) }) else {
      throw .unknownOption(spelling, near: near(spelling))
    }
    let isFirst = seen.insert(parameter.row.name).inserted
    guard isFirst || parameter.row.isRepeatable else { throw .repeated(parameter.row.label) }
    lone = parameter.row.isValueOptional && value == nil ? parameter.row.label : nil
    switch parameter.effect {
    case .switches(let set):
      guard value == nil else { throw .flagWithValue(spelling) }
      set(&root, spelling != parameter.row.negation)
    case .takesWord:
      let text = if let value { value } else { try nextValue(of: parameter.row) }
      try store(text, in: parameter, isFirst: isFirst)
    case .mayTakeWord: try store(value, in: parameter, isFirst: isFirst)
    }
  }

  /// The flags that a word such as `-nq` stands for; nil unless each letter is one.
  private func flags(in word: String) -> [String]? {
    guard word.count > 2, !word.hasPrefix("--") else { return nil }
    let names = word.dropFirst().map { "-\($0)" }
    let areFlags = names.allSatisfy { name in
      parameters.contains { [.flag, .toggle].contains($0.row.kind) && $0.row.isSpelled(name) }
    }
    return areFlags ? names : nil
  }

  /// Splits off the value after `=`, which only long names take.
  private func split(_ word: String) -> (spelling: String, value: String?) {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }

  private mutating func nextValue(of row: ParameterDescription) throws(UsageProblem) -> String {
    guard let word = words.first, !word.isOption else {
      let isDashed = words.first.map { $0 != "--" } ?? false
      throw .missingValue(row.label, value: row.value ?? "", isDashed: isDashed)
    }
    words.removeFirst()
    return word
  }

  private mutating func takeArgument(_ word: String) throws(UsageProblem) {
    let free = parameters.first {
      $0.row.kind == .argument && ($0.row.isRepeatable || !seen.contains($0.row.name))
    }
    guard let free else {
      if let lone { throw .looseValue(lone, word) }
      throw .unexpectedArgument(word)
    }
    let isFirst = seen.insert(free.row.name).inserted
    try store(word, in: free, isFirst: isFirst)
  }

  private mutating func store(
    _ given: String?, in parameter: Parameter<Root>, isFirst: Bool
  ) throws(UsageProblem) {
    let given = parameter.row.isPath ? given.map(path) : given
    let word = given ?? ""
    do throws(BadValue) {
      switch parameter.effect {
      case .takesWord(let take): try take(&root, word, isFirst)
      case .mayTakeWord(let take): try take(&root, given)
      case .switches: break
      }
    } catch {
      let row = parameter.row
      let near = error == .notAChoice ? Suggestion.near(word, among: row.choices) : []
      throw .badValue(row.label, text: word, why: error, choices: row.choices, near: near)
    }
  }

  /// Expands a path. An option that takes a file may also take it as `@FILE`.
  private func path(_ word: String) -> String {
    word.hasPrefix("@") ? "@" + word.dropFirst().expandingTilde(home) : word.expandingTilde(home)
  }

  private func checkRequired() throws(UsageProblem) {
    let missing = parameters.first { $0.row.isRequired && !seen.contains($0.row.name) }
    guard let row = missing?.row else { return }
    throw row.kind == .argument
      ? .missingArgument(row.label, choices: row.choices)
      : .missingOption(row.label, value: row.value ?? "")
  }

  private func near(_ spelling: String) -> [String] {
    let names = (parameters.map(\.row) + common).flatMap(\.spellings).filter { $0.hasPrefix("--") }
    return Suggestion.options(near: spelling, among: names + ["--help"])
  }
}

extension String {
  /// True if the word starts an option; `-` alone is an ordinary word.
  var isOption: Bool { hasPrefix("-") && self != "-" }
}
