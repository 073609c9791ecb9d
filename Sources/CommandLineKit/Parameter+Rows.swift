extension Parameter {
  /// An option with a value: `--name VALUE`, `--name=VALUE`, `-n VALUE`.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - place: The property: a value, an optional one, or an array (the option is repeatable).
  ///   - short: The short name; nil for none.
  ///   - value: What help calls the value; nil for the name in capitals.
  ///   - help: One sentence of at most 80 columns.
  ///   - isRequired: Whether leaving the option out is an error.
  ///   - completion: What shells offer; a type with choices always offers these.
  ///   - environment: The variable that can be used instead, for help only; nil for none.
  /// - Returns: The row.
  public static func option<Value: ArgumentProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> Place<Root, Value>,
    short: Character? = nil, value: String? = nil,
    help: String, isRequired: Bool = false, completion: Completion = .none,
    environment: String? = nil
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .option, help: help)
    row.short = short
    row.value = value ?? name.uppercased()
    row.isRequired = isRequired
    row.environment = environment
    return taking(row, place, completion)
  }

  /// One positional word, or all remaining ones when the property is an array.
  ///
  /// - Parameters:
  ///   - name: The name; help shows it in capitals.
  ///   - place: The property: a value, an optional one, or an array, which must come last.
  ///   - help: One sentence of at most 80 columns.
  ///   - isRequired: Whether leaving the argument out is an error.
  ///   - completion: What shells offer; a type with choices always offers these.
  /// - Returns: The row.
  public static func arguments<Value: ArgumentProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> Place<Root, Value>,
    help: String, isRequired: Bool = false,
    completion: Completion = .none
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .argument, help: help)
    row.value = name.uppercased()
    row.isRequired = isRequired
    return taking(row, place, completion)
  }

  /// A word without a value. `sets: false` makes a flag that exists only as `--no-…`: name it so.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - place: A `Bool`, or a `Bool?` where nil means "not said".
  ///   - short: The short name; nil for none.
  ///   - sets: What the property becomes.
  ///   - help: One sentence of at most 80 columns.
  /// - Returns: The row.
  public static func flag<Value: SwitchProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> Place<Root, Value>,
    short: Character? = nil, sets: Bool = true,
    help: String
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .flag, help: help)
    row.short = short
    return Self(
      row: row,
      effect: .switches { root, isOn in root[keyPath: place()] = Value(isOn: isOn == sets) },
      initial: { $0[keyPath: place()].isOn == sets ? "--" + name : nil })
  }

  /// A pair of flags, `--name` and `--no-name`.
  ///
  /// - Parameters:
  ///   - name: The long name of the positive one, without dashes.
  ///   - place: A `Bool`, or a `Bool?` where nil means "not said".
  ///   - short: The short name of the positive one; nil for none.
  ///   - help: One sentence of at most 80 columns, about the positive one.
  /// - Returns: The row.
  public static func toggle<Value: SwitchProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> Place<Root, Value>,
    short: Character? = nil, help: String
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .toggle, help: help)
    row.short = short
    return Self(
      row: row, effect: .switches { root, isOn in root[keyPath: place()] = Value(isOn: isOn) },
      initial: { $0[keyPath: place()].isOn.map { $0 ? "--" + name : "--no-" + name } })
  }

  /// An option whose words fill more than one property, or one that is not an `ArgumentProperty`.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - words: The type that reads each word.
  ///   - isRepeatable: Whether it may be given more than once.
  ///   - value: What help calls the value.
  ///   - defaultText: The default as a word; nil when there is none.
  ///   - help: One sentence of at most 80 columns.
  ///   - completion: What shells offer; a type with choices always offers these.
  ///   - environment: The variable that can be used instead, for help only; nil for none.
  ///   - store: Stores a word, or says why it is refused; `isFirst` is true for the first.
  /// - Returns: The row.
  public static func option<Word: ArgumentValue>(
    _ name: String, of words: Word.Type, isRepeatable: Bool = false, value: String,
    defaultText: @autoclosure @escaping @Sendable () -> String? = nil, help: String,
    completion: Completion = .none,
    environment: String? = nil,
    store: @escaping @Sendable (inout Root, Word, _ isFirst: Bool) throws(BadValue) -> Void
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .option, help: help)
    row.value = value
    row.environment = environment
    row.closedSet = ClosedSet { Word.choices }
    row.openCompletion = completion
    row.isRepeatable = isRepeatable
    return Self(
      row: row,
      effect: .takesWord { (root, word, isFirst) throws(BadValue) in
        try store(&root, try Word(argument: word), isFirst)
      }, initial: { _ in defaultText() })
  }

  /// An option that may stand alone: `--name`, or `--name=VALUE`. The word after it is never its
  /// value.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - words: The type that reads a value.
  ///   - value: What help calls the value.
  ///   - help: One sentence of at most 80 columns.
  ///   - completion: What shells offer behind `=`; a type with choices always offers these.
  ///   - store: Stores the value, nil when the option stands alone.
  /// - Returns: The row.
  public static func option<Word: ArgumentValue>(
    _ name: String, ofOptional words: Word.Type, value: String, help: String,
    completion: Completion = .none,
    store: @escaping @Sendable (inout Root, Word?) throws(BadValue) -> Void
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .option, help: help)
    row.value = value
    row.isValueOptional = true
    row.closedSet = ClosedSet { Word.choices }
    row.openCompletion = completion
    return Self(
      row: row,
      effect: .mayTakeWord { (root, word) throws(BadValue) in
        guard let word else { return try store(&root, nil) }
        try store(&root, try Word(argument: word))
      }, initial: { _ in nil })
  }

  /// A flag that does more than set one property.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name; nil for none.
  ///   - help: One sentence of at most 80 columns.
  ///   - set: What happens when it is given.
  /// - Returns: The row.
  public static func flag(
    _ name: String, short: Character? = nil, help: String,
    set: @escaping @Sendable (inout Root) -> Void
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .flag, help: help)
    row.short = short
    return Self(row: row, effect: .switches { root, _ in set(&root) }, initial: { _ in nil })
  }

  private static func taking<Value: ArgumentProperty>(
    _ row: ParameterDescription, _ place: @escaping @Sendable () -> Place<Root, Value>,
    _ completion: Completion
  ) -> Self {
    var row = row
    row.closedSet = ClosedSet { Value.choices }
    row.openCompletion = completion
    row.isRepeatable = Value.isRepeatable
    return Self(
      row: row,
      effect: .takesWord { (root, word, isFirst) throws(BadValue) in
        try root[keyPath: place()].take(word, isFirst: isFirst)
      },
      initial: {
        let texts = $0[keyPath: place()].argumentTexts
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
      })
  }
}
