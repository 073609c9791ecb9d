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
    fix: "Mend the row, and send to it with 'fanfare send'.", isForceable: false)
}
