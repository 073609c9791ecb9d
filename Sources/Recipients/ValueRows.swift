public import APNS

/// Keeps the values of each row instead of rendering them: whoever takes the recipients from a queue
/// renders them.
public struct ValueRows: RowRendering {
  /// The variables that the other rendering wants.
  public let names: [String]

  /// Those of them that every row has to give.
  public let neededNames: [String]

  /// - Parameter rendering: what will render the rows.
  public init(for rendering: some RowRendering) {
    (names, neededNames) = (rendering.names, rendering.neededNames)
  }

  /// Appends the variables, encoded, and not the columns behind them that go beside the results. No row
  /// is refused.
  public mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    values.encode(first: names.count, into: &payload)
  }
}
