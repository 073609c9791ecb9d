internal import POSIX

/// Received header fields, in order, in one flat buffer that is used again for the next message.
public struct HeaderBlock: Sendable {
  fileprivate struct Entry {
    var start: Int32
    var nameEnd: Int32
    var end: Int32
  }

  /// The most that a block keeps unless told otherwise, as RFC 9113 section 6.5.2 measures it: the
  /// bytes of names and values, and 32 for each field. Further fields make it `overflowed`.
  public static let limit = 16_384

  /// The cost of a field beside its bytes.
  public static let fieldCost = 32

  /// What a peer may send, in limits, before reading on would be to its advantage only: HPACK makes
  /// 4 kB of a byte.
  private static let patience = 4

  private let limit: Int
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var offered = 0

  /// Whether fields were dropped because the block was full.
  public private(set) var overflowed = false

  /// An empty block.
  ///
  /// - Parameter limit: the most that it keeps.
  public init(limit: Int = HeaderBlock.limit) { self.limit = limit }

  /// How many fields there are.
  public var count: Int { entries.count }

  /// Whether fields were offered far beyond the limit.
  var isExcessive: Bool { offered > Self.patience * limit }

  /// Whether there is no field.
  public var isEmpty: Bool { entries.isEmpty }

  /// Appends a field; past the limit it is dropped and `overflowed` is set.
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

  /// Counts a field that is not kept, and returns its cost.
  @discardableResult
  mutating func leaveOut(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let cost = name.count + value.count + Self.fieldCost
    offered += cost
    return cost
  }

  /// Forgets all fields and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    offered = 0
    overflowed = false
  }

  /// Offers name and value of the field at an index, in place.
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

  /// The position of the first field of this name; nil when there is none. The name is in lower
  /// case.
  public func firstIndex(of name: StaticString) -> Int? {
    bytes.withUnsafeBufferPointer { all in
      entries.firstIndex { entry in
        entry.nameEnd - entry.start == Int32(name.utf8CodeUnitCount)
          && all[Int(entry.start)..<Int(entry.nameEnd)].elementsEqual(
            UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
      }
    }
  }

  /// The value of the first field of this name as text; nil when there is none.
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

  /// Whether two blocks hold the same fields in the same order, byte for byte.
  public func matches(_ other: HeaderBlock) -> Bool {
    bytes == other.bytes
      && entries.elementsEqual(other.entries) { $0.nameEnd == $1.nameEnd && $0.end == $1.end }
  }

  /// Whether two blocks hold the same fields in the same order, where the values at some positions
  /// do not count.
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
