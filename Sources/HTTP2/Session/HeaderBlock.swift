internal import POSIX

/// Received header fields, in order, in one flat buffer that is reused for the next message.
public struct HeaderBlock: Sendable {
  fileprivate struct Entry {
    var start: Int32
    var nameEnd: Int32
    var end: Int32
  }

  /// The default limit on what a block keeps, measured as in RFC 9113 section 6.5.2: the bytes of
  /// names and values, plus 32 for each field. Further fields make it `overflowed`.
  public static let limit = 16_384

  /// The cost of a field in addition to its bytes.
  public static let fieldCost = 32

  /// The amount a peer may send, as a multiple of the limit, before reading on would only help an
  /// attacker: HPACK expands one byte to 4 kB.
  private static let patience = 4

  private let limit: Int
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var offered = 0

  /// True if fields were dropped because the block was full.
  public private(set) var overflowed = false

  /// Creates an empty block.
  ///
  /// - Parameter limit: the limit on what it keeps.
  public init(limit: Int = HeaderBlock.limit) { self.limit = limit }

  /// The number of fields.
  public var count: Int { entries.count }

  /// True if the peer sent far more than the limit.
  var isExcessive: Bool { offered > Self.patience * limit }

  /// True if there are no fields.
  public var isEmpty: Bool { entries.isEmpty }

  /// Appends a field; beyond the limit it is dropped and `overflowed` is set.
  public mutating func append(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    let cost = leaveOut(name: name, value: value)
    guard bytes.count + entries.count * Self.fieldCost + cost <= limit else {
      overflowed = true
      return
    }
    let start = bytes.count
    bytes.append(contentsOf: name)
    bytes.append(contentsOf: value)
    entries.append(
      Entry(
        start: Int32(start), nameEnd: Int32(start + name.count), end: Int32(bytes.count)))
  }

  /// Counts a field without keeping it, and returns its cost.
  @discardableResult
  mutating func leaveOut(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let cost = name.count + value.count + Self.fieldCost
    offered += cost
    return cost
  }

  /// Removes all fields but keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    offered = 0
    overflowed = false
  }

  /// Calls `body` with the name and value of the field at an index, in place.
  public func withField<Result>(
    at index: Int,
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let entry = entries[index]
    return bytes.withUnsafeBufferPointer { all in
      body(
        .init(rebasing: all[Int(entry.start)..<Int(entry.nameEnd)]),
        .init(rebasing: all[Int(entry.nameEnd)..<Int(entry.end)]))
    }
  }

  /// The index of the first field of this name, given in lowercase; nil if there is none.
  public func firstIndex(of name: StaticString) -> Int? {
    bytes.withUnsafeBufferPointer { all in
      entries.firstIndex { entry in
        entry.nameEnd - entry.start == Int32(name.utf8CodeUnitCount)
          && all[Int(entry.start)..<Int(entry.nameEnd)].elementsEqual(
            UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
      }
    }
  }

  /// The value of the first field of this name as text; nil if there is none.
  public subscript(name: StaticString) -> String? {
    firstIndex(of: name).map { index in
      withField(at: index) { _, value in String(decoding: value, as: UTF8.self) }
    }
  }
}

extension HeaderBlock {
  /// Names and values as text, in order.
  public var fields: [(name: String, value: String)] {
    entries.indices.map { index in
      withField(at: index) { name, value in
        (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
      }
    }
  }

  /// Returns true if both blocks hold the same fields in the same order, byte for byte.
  public func matches(_ other: HeaderBlock) -> Bool {
    bytes == other.bytes
      && entries.elementsEqual(other.entries) { $0.nameEnd == $1.nameEnd && $0.end == $1.end }
  }

  /// Returns true if both blocks hold the same fields in the same order, ignoring the values at
  /// some indexes.
  public func matches(_ other: HeaderBlock, exceptValuesAt ignored: [Int]) -> Bool {
    guard entries.count == other.entries.count else { return false }
    return bytes.withUnsafeBytes { mine in
      other.bytes.withUnsafeBytes { theirs in
        entries.indices.allSatisfy { index in
          let ignoresValue = ignored.contains(index)
          return entries[index].nameEnd - entries[index].start
            == other.entries[index].nameEnd - other.entries[index].start
            && entries[index].part(of: mine, ignoresValue)
              .isSame(as: other.entries[index].part(of: theirs, ignoresValue))
        }
      }
    }
  }
}

extension HeaderBlock.Entry {
  fileprivate func part(
    of bytes: UnsafeRawBufferPointer, _ ignoresValue: Bool
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(ignoresValue ? nameEnd : end)])
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let mine = baseAddress, let theirs = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(mine, theirs, count) == 0
  }
}
