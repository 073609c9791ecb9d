/// Where in `Root` a parameter keeps its value.
///
/// Rows take these as autoclosures: making a key path costs thousands of instructions, and a command
/// line names few of a table's rows.
public typealias Place<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// One row of a command's table: what a flag, an option or an argument is called, what it is for,
/// and which stored property of `Root` it fills.
public struct Parameter<Root>: Sendable {
  let row: ParameterDescription
  let effect: Effect<Root>
  let initial: @Sendable (Root) -> String?

  /// The row as data, with the default that `root` holds.
  func described(in root: Root) -> ParameterDescription {
    var description = row
    description.defaultText = initial(root)
    return description
  }

  /// The same parameter for a command that contains `Root` as a part.
  public func inside<Whole>(
    _ part: @autoclosure @escaping @Sendable () -> Place<Whole, Root>
  ) -> Parameter<Whole> {
    let initial = initial
    return Parameter<Whole>(
      row: row, effect: effect.inside(part), initial: { initial($0[keyPath: part()]) })
  }
}

/// What a parameter does to `Root` when it is met.
enum Effect<Root>: Sendable {
  case takesWord(@Sendable (inout Root, String, _ isFirst: Bool) throws(BadValue) -> Void)
  case mayTakeWord(@Sendable (inout Root, String?) throws(BadValue) -> Void)
  case switches(@Sendable (inout Root, Bool) -> Void)

  func inside<Whole>(_ part: @escaping @Sendable () -> Place<Whole, Root>) -> Effect<Whole> {
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

/// Parameters that help shows under one title.
public struct OptionGroup<Root>: Sendable {
  /// The title, such as "Credentials".
  public let title: String
  /// The rows, in the order in which help shows them.
  public let parameters: [Parameter<Root>]

  /// A group of rows.
  public init(_ title: String, _ parameters: [Parameter<Root>]) {
    self.title = title
    self.parameters = parameters
  }

  func described(in root: Root) -> GroupDescription {
    GroupDescription(title: title, parameters: parameters.map { $0.described(in: root) })
  }

  /// The same group for a command that contains `Root` as a part.
  public func inside<Whole>(
    _ part: @autoclosure @escaping @Sendable () -> Place<Whole, Root>
  ) -> OptionGroup<Whole> {
    OptionGroup<Whole>(title, parameters.map { $0.inside(part()) })
  }
}
