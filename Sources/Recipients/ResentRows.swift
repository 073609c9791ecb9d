internal import APNS
internal import PushModel

/// The rows of a ``ResentList``.
final class ResentRows: ListRows {
  private let rows: JSONRows

  init(_ lines: LineReader, _ variables: [String]) {
    rows = JSONRows(lines, variables: variables)
  }

  var lines: LineReader { rows.lines }

  /// The number of the push in its run.
  var line: Int { rows.integer("sequence") ?? rows.line }

  var excerpt: UnsafeBufferPointer<UInt8> { rows.excerpt }

  func begin() { rows.begin() }

  func advance() -> Bool { rows.advance() }

  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8> { try rows.token() }

  func registered() throws(LineFault) -> Int64? { try rows.registered() }

  func addValues(to values: inout TemplateValues) { rows.addValues(to: &values) }
}
