/// The values of one recipient's variables, in the order of a template's names. One is used again
/// from row to row, so that a row costs no allocation.
public struct TemplateValues: Sendable {
  /// What kind of value a row has for a variable.
  public enum Kind: UInt8, Sendable, Hashable {
    /// The row does not have it.
    case missing
    /// Text, as a CSV cell or an option gives it; not yet escaped for JSON.
    case text
    /// A JSON value, as a row of a JSONL list gives it: compact and valid.
    case json
  }

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var kinds: [Kind] = []

  /// No values.
  public init() {}

  /// How many values there are, missing ones included.
  public var count: Int { kinds.count }

  /// Forgets all values and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
  }

  /// Adds the next variable's value; of a missing one the bytes are empty.
  public mutating func append(_ kind: Kind, _ value: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: value)
    ends.append(bytes.count)
    kinds.append(kind)
  }

  /// Lends the value of the variable at a place.
  public func withValue<Result>(
    at index: Int, _ body: (Kind, UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = index == 0 ? 0 : ends[index - 1]
    return try bytes.withUnsafeBufferPointer { all in
      try body(kinds[index], UnsafeBufferPointer(rebasing: all[start..<ends[index]]))
    }
  }
}
