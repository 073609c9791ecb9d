extension Parameter {
  /// Returns an option with a value: `--name VALUE`, `--name=VALUE`, `-n VALUE`.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - place: The property: a value, an optional one, or an array (the option is repeatable).
  ///   - short: The short name; nil for none.
  ///   - value: The value's placeholder in help; nil uses the name in capitals.
  ///   - help: One sentence of at most 80 columns.
  ///   - isRequired: True if leaving the option out is an error.
  ///   - completion: The words that shells offer; a type with choices always offers those.
  ///   - environment: The variable that can be used instead, shown in help only; nil for none.
  /// - Returns: The row.
  public static func option<Value: ArgumentProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> ParameterPlace<Root, Value>,
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

  /// Returns a positional argument, or all remaining ones if the property is an array.
  ///
  /// - Parameters:
  ///   - name: The name; help shows it in capitals.
  ///   - place: The property: a value, an optional one, or an array, which must come last.
  ///   - help: One sentence of at most 80 columns.
  ///   - isRequired: True if leaving the argument out is an error.
  ///   - completion: The words that shells offer; a type with choices always offers those.
  /// - Returns: The row.
  public static func arguments<Value: ArgumentProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> ParameterPlace<Root, Value>,
    help: String, isRequired: Bool = false,
    completion: Completion = .none
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .argument, help: help)
    row.value = name.uppercased()
    row.isRequired = isRequired
    return taking(row, place, completion)
  }

  /// Returns a flag without a value. With `sets: false` it exists only as `--no-…`: name it so.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - place: A `Bool`, or a `Bool?` where nil means "not specified".
  ///   - short: The short name; nil for none.
  ///   - sets: The value the flag gives the property.
  ///   - help: One sentence of at most 80 columns.
  /// - Returns: The row.
  public static func flag<Value: SwitchProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> ParameterPlace<Root, Value>,
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

  /// Returns a pair of flags, `--name` and `--no-name`.
  ///
  /// - Parameters:
  ///   - name: The long name of the positive one, without dashes.
  ///   - place: A `Bool`, or a `Bool?` where nil means "not specified".
  ///   - short: The short name of the positive one; nil for none.
  ///   - help: One sentence of at most 80 columns, about the positive one.
  /// - Returns: The row.
  public static func toggle<Value: SwitchProperty>(
    _ name: String, _ place: @autoclosure @escaping @Sendable () -> ParameterPlace<Root, Value>,
    short: Character? = nil, help: String
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .toggle, help: help)
    row.short = short
    return Self(
      row: row, effect: .switches { root, isOn in root[keyPath: place()] = Value(isOn: isOn) },
      initial: { $0[keyPath: place()].isOn.map { $0 ? "--" + name : "--no-" + name } })
  }

  /// Returns an option that fills more than one property, or one that is not an `ArgumentProperty`.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - words: The type that parses each word.
  ///   - isRepeatable: True if the option may be repeated.
  ///   - value: The value's placeholder in help.
  ///   - defaultText: The default as a word; nil for none.
  ///   - help: One sentence of at most 80 columns.
  ///   - completion: The words that shells offer; a type with choices always offers those.
  ///   - environment: The variable that can be used instead, shown in help only; nil for none.
  ///   - store: Stores a word or throws the reason to reject it; `isFirst` is true for the first.
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

  /// Returns an option whose value is optional: `--name`, or `--name=VALUE`. The next word is never
  /// its value.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - words: The type that parses a value.
  ///   - short: The short name, which takes no value; nil for none.
  ///   - value: The value's placeholder in help.
  ///   - help: One sentence of at most 80 columns.
  ///   - completion: The words that shells offer after `=`; a type with choices always offers
  ///     those.
  ///   - store: Stores the value; nil if the option was given without one.
  /// - Returns: The row.
  public static func option<Word: ArgumentValue>(
    _ name: String, ofOptional words: Word.Type, short: Character? = nil, value: String,
    help: String, completion: Completion = .none,
    store: @escaping @Sendable (inout Root, Word?) throws(BadValue) -> Void
  ) -> Self {
    var row = ParameterDescription(name: name, kind: .option, help: help)
    row.value = value
    row.isValueOptional = true
    row.short = short
    row.closedSet = ClosedSet { Word.choices }
    row.openCompletion = completion
    return Self(
      row: row,
      effect: .mayTakeWord { (root, word) throws(BadValue) in
        guard let word else { return try store(&root, nil) }
        try store(&root, try Word(argument: word))
      }, initial: { _ in nil })
  }

  /// Returns a flag that does more than set one property.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name; nil for none.
  ///   - help: One sentence of at most 80 columns.
  ///   - set: The effect of the flag.
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
    _ row: ParameterDescription, _ place: @escaping @Sendable () -> ParameterPlace<Root, Value>,
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
