/// The values of a recipient's variables, in the order of a template's names. Reused from row to
/// row, so that a row costs no allocation.
public struct TemplateValues: Sendable {
  /// The kind of a row's value for a variable.
  public enum Kind: UInt8, Sendable, Hashable {
    /// The row lacks the variable.
    case missing
    /// Text from a CSV cell or an option; not yet escaped for JSON.
    case text
    /// A JSON value from a row of a JSONL list: compact and valid.
    case json
  }

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var kinds: [Kind] = []

  /// Creates an empty list of values.
  public init() {}

  /// The number of values, including missing ones.
  public var count: Int { kinds.count }

  /// Removes all values but keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
  }

  /// Appends the next variable's value; the bytes of a missing one are empty.
  public mutating func append(_ kind: Kind, _ value: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: value)
    ends.append(bytes.count)
    kinds.append(kind)
  }

  /// Calls `body` with the value of the variable at an index.
  public func withValue<Result>(
    at index: Int, _ body: (Kind, UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = index == 0 ? 0 : ends[index - 1]
    return try bytes.withUnsafeBufferPointer { all in
      try body(kinds[index], UnsafeBufferPointer(rebasing: all[start..<ends[index]]))
    }
  }
}
