/// A position in a text. Line and column start at 1; the column counts Unicode scalars.
public struct JSONPosition: Sendable, Hashable, Comparable {
  /// The line, from 1. CR LF, LF and CR each end a line once.
  public var line: Int

  /// The column, from 1, counted in Unicode scalars.
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders positions as they follow each other in the text.
  public static func < (left: JSONPosition, right: JSONPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
