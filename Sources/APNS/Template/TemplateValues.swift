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

extension TemplateValues {
  /// Encodes the first values for ``decode(_:)``: before each value, its length and kind in one
  /// number, in groups of seven bits, lowest first.
  package func encode(first number: Int, into encoded: inout [UInt8]) {
    for index in 0..<min(number, count) {
      withValue(at: index) { kind, value in
        encoded.append(varint: UInt64(value.count) << 2 | UInt64(kind.rawValue))
        encoded.append(contentsOf: value)
      }
    }
  }

  /// Replaces all values with decoded ones.
  ///
  /// - Returns: false for bytes that ``encode(first:into:)`` never writes.
  package mutating func decode(_ encoded: UnsafeBufferPointer<UInt8>) -> Bool {
    removeAll()
    var rest = encoded[...]
    while !rest.isEmpty {
      guard let head = rest.popVarint(), let kind = Kind(rawValue: UInt8(head & 3)),
        let length = Int(exactly: head >> 2), length <= rest.count,
        kind != .missing || length == 0
      else { return false }
      append(kind, UnsafeBufferPointer(rebasing: rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a number in groups of seven bits, lowest first; all bytes but the last have their
  /// highest bit set.
  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Removes and returns a number of up to 63 bits; nil if it is invalid.
  fileprivate mutating func popVarint() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard let byte = popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      // A final zero byte is redundant, and never encoded.
      if byte < 0x80 { return byte == 0 && shift > 0 ? nil : number }
    }
    return nil
  }
}
