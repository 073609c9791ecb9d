public import APNS

/// Takes each payload from its row, byte for byte.
public struct PayloadRows: RowRendering {
  static let key = "payload"

  /// Creates a rendering for the rows of a ``ResentList``.
  public init() {}

  /// The key of the payload.
  public var names: [String] { [Self.key] }

  /// Appends the payload in the row.
  ///
  /// - Throws: `BrokenRules` for a row without one, which did not fill the template when its push
  ///   was first to be sent.
  public mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    let isThere = values.withValue(at: 0) { kind, bytes in
      payload.append(contentsOf: bytes)
      return kind == .text && !bytes.isEmpty
    }
    if !isThere { throw BrokenRules([Self.missing]) }
  }

  /// Always fails, since every payload comes from a row.
  ///
  /// - Throws: `BrokenRules`.
  public func payloadWithoutRow() throws(BrokenRules) -> Payload {
    throw BrokenRules([Self.missing])
  }

  private static let missing = Problem(
    .error, rule: "row-without-payload", at: .payload(PayloadPath()),
    message: "Its row did not fill the template.",
    fix: "Correct the row, and send to it with 'fanfare send'.", isForceable: false)
}

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
