/// Renders the payload of each row of a list.
public protocol RowRendering: Sendable {
  /// The variables it uses, without duplicates.
  var names: [String] { get }

  /// The variables that every row has to provide; empty if unknown.
  var neededNames: [String] { get }

  /// Renders one row.
  ///
  /// - Parameters:
  ///   - values: a value for each of `names`, in their order.
  ///   - payload: the buffer to append the payload to; unchanged on error.
  /// - Throws: `BrokenRules` with the row's problems: a missing variable, a broken rule, too many
  ///   bytes. The row is skipped; the other rows are not affected.
  mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules)
}

extension RowRendering {
  /// No required variables.
  public var neededNames: [String] { [] }
}
