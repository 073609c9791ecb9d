import JSONText
import Testing

/// A text, the rule it breaks, and where.
struct BadText: Sendable, CustomTestStringConvertible {
  var bytes: [UInt8]
  var error: JSONSyntaxError

  init(_ text: String, _ kind: JSONSyntaxError.Kind, at line: Int = 1, _ column: Int) {
    self.init(Array(text.utf8), kind, at: line, column)
  }

  init(_ bytes: [UInt8], _ kind: JSONSyntaxError.Kind, at line: Int = 1, _ column: Int) {
    self.bytes = bytes
    self.error = JSONSyntaxError(kind, at: JSONPosition(line: line, column: column))
  }

  var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }

  /// The error that reading the text really ends in; nil when it is read without one.
  func error(in dialect: JSONReader.Grammar) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
      _ = try JSONReader(dialect).read(bytes)
      return nil
    } catch {
      return error
    }
  }
}
