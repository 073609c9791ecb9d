/// Makes the payload of each row of a list.
public protocol RowRendering: Sendable {
  /// The variables that it wants of each row, each once.
  var names: [String] { get }

  /// Those of them that every row has to give; none where that is not known.
  var neededNames: [String] { get }

  /// Renders one row.
  ///
  /// - Parameters:
  ///   - values: a value for each of `names`, in their order.
  ///   - payload: the rendered payload is appended here; after an error nothing is.
  /// - Throws: `BrokenRules` with what is wrong with this row: a missing variable, a broken rule,
  ///   too many bytes. Such a row is skipped and never stops the rest.
  mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules)
}

extension RowRendering {
  /// None.
  public var neededNames: [String] { [] }
}
