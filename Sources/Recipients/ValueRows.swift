public import APNS

/// Keeps the values of each row instead of rendering them, for workers that take the recipients
/// from a queue and render them.
public struct ValueRows: RowRendering {
  /// The variables that the other rendering needs.
  public let names: [String]

  /// The variables that every row must provide.
  public let neededNames: [String]

  /// - Parameter rendering: the rendering that will be used later.
  public init(for rendering: some RowRendering) {
    (names, neededNames) = (rendering.names, rendering.neededNames)
  }

  /// Appends the encoded variables, without the columns after them that go with the results. Never
  /// refuses a row.
  public mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    values.encode(first: names.count, into: &payload)
  }
}
