/// One element of DER or BER (X.690): a tag and its content.
///
/// An item is valid only as long as the bytes it points to. Reading never fails; it stops where the
/// bytes make no sense. An indefinite length, or one past the end, means all remaining bytes, so a
/// file can be recognized by its start.
package struct DERItem {
  package typealias Bytes = Slice<UnsafeRawBufferPointer>

  static let integer: UInt8 = 0x02
  static let octetString: UInt8 = 0x04
  static let objectID: UInt8 = 0x06
  package static let sequence: UInt8 = 0x30

  /// The first byte. Multi-byte tags are not supported; no file read here has one.
  package let tag: UInt8
  package let content: Bytes
  /// The content is complete, with a definite length, as DER requires.
  let isWhole: Bool

  /// Reads the element at the start.
  static func first(in bytes: Bytes) -> DERItem? {
    guard let tag = bytes.first, tag & 0x1F != 0x1F, let (count, rest) = length(bytes.dropFirst())
    else { return nil }
    return DERItem(tag: tag, content: rest.prefix(count), isWhole: count <= rest.count)
  }

  /// Reads consecutive elements, 512 at most.
  static func items(in bytes: Bytes) -> [DERItem] {
    var items: [DERItem] = []
    var rest = bytes
    while items.count < 512, let item = first(in: rest) {
      items.append(item)
      rest = rest[item.content.endIndex...]
    }
    return items
  }

  /// Reads elements that fill the bytes exactly; nil if one is truncated or invalid.
  package static func wholeItems(in bytes: Bytes) -> [DERItem]? {
    var items: [DERItem] = []
    var rest = bytes
    while !rest.isEmpty {
      guard let item = first(in: rest), item.isWhole else { return nil }
      items.append(item)
      rest = rest[item.content.endIndex...]
    }
    return items
  }

  /// The text of a UTF8String, PrintableString or IA5String of at most 1,024 bytes.
  package var text: String? {
    guard [0x0C, 0x13, 0x16].contains(tag), content.count <= 1024 else { return nil }
    return String(validating: content, as: UTF8.self)
  }

  private static func length(_ bytes: Bytes) -> (Int, Bytes)? {
    guard let first = bytes.first else { return nil }
    let rest = bytes.dropFirst()
    if first < 0x80 { return (Int(first), rest) }
    let digits = Int(first & 0x7F)
    if digits == 0 { return (.max, rest) }
    guard digits <= 4, rest.count >= digits else { return nil }
    return (rest.prefix(digits).reduce(0) { $0 << 8 | Int($1) }, rest.dropFirst(digits))
  }
}
