public import APNS

/// Takes each row's payload from the row, byte for byte.
public struct PayloadRows: RowRendering {
  static let key = "payload"

  /// For the rows of a ``ResentList``.
  public init() {}

  /// The member that holds the payload.
  public var names: [String] { [Self.key] }

  /// Appends the payload that the row holds.
  ///
  /// - Throws: `BrokenRules` for a row without one: when its push was to be sent first, the row did
  ///   not fill the template.
  public mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    let isThere = values.withValue(at: 0) { kind, bytes in
      payload.append(contentsOf: bytes)
      return kind == .text && !bytes.isEmpty
    }
    if !isThere { throw BrokenRules([Self.missing]) }
  }

  /// There is none.
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
