/// The property of `Root` that holds a parameter's value.
///
/// Rows take it as an autoclosure: creating a key path costs thousands of instructions, and a
/// command line uses few of a table's rows.
public typealias ParameterPlace<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// One row of a command's table: the name and purpose of a flag, an option or an argument, and the
/// stored property of `Root` that it fills.
public struct Parameter<Root>: Sendable {
  let row: ParameterDescription
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
