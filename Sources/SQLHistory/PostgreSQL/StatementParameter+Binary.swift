internal import CPQ

extension StatementParameter {
  /// The type's number, which is the same in every database (`pg_type.dat`).
  var type: Oid {
    switch self {
    case .null: 0
    case .bytes: 17
    case .int64: 20
    case .text: 25
    case .numbers: 1016
    }
  }

  /// Appends the value in PostgreSQL's binary form.
  ///
  /// - Returns: false if it is NULL.
  func encode(into bytes: inout [UInt8]) -> Bool {
    switch self {
    case .int64(let number?): bytes.append(bigEndian: number)
    case .text(let text?): bytes += text.utf8
    case .bytes(let value?): bytes += value
    case .numbers(let numbers): bytes.append(array: numbers)
    case .null, .int64(nil), .text(nil), .bytes(nil): return false
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a number in network byte order.
  mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends a `bigint[]` without NULL: its dimensions, flags and element type; the number of
  /// elements and the lower bound, 1; then each element with its length.
  fileprivate mutating func append(array numbers: [Int64]) {
    for word in [1, 0, 20, Int32(numbers.count), 1] as [Int32] { append(bigEndian: word) }
    for number in numbers {
      append(bigEndian: Int32(8))
      append(bigEndian: number)
    }
  }
}

/// Values in the form that libpq takes, while `withEncoded` runs.
struct EncodedParameters {
  let types: [Oid]
  let values: [UnsafePointer<CChar>?]
  let lengths: [Int32]

  var count: Int32 { Int32(types.count) }

  /// The formats, which are all binary.
  var formats: [Int32] { types.map { _ in 1 } }
}

/// Encodes values for as long as the body runs.
func withEncoded<Result>(
  _ parameters: [StatementParameter], _ body: (EncodedParameters) -> Result
) -> Result {
  var bytes: [UInt8] = []
  let ranges = parameters.map { parameter in
    let start = bytes.count
    return parameter.encode(into: &bytes) ? start..<bytes.count : nil
  }
  // An empty value is not NULL: it needs an address too.
  bytes.append(0)
  return bytes.withUnsafeBytes { buffer in
    let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
    return body(
      EncodedParameters(
        types: parameters.map(\.type),
        values: ranges.map { range in range.flatMap { start?.advanced(by: $0.lowerBound) } },
        lengths: ranges.map { Int32($0?.count ?? 0) }))
  }
}
