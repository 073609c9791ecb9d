/// Reads elements of DER one after another (X.690 section 8.1), and never past their end.
struct DERReader {
  /// One element, its contents unread.
  struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>

    static let sequence: UInt8 = 0x30

    /// A UTF8String, a PrintableString or an IA5String as text; nil for anything else.
    var text: String? {
      [0x0C, 0x13, 0x16].contains(tag) ? String(validating: content, as: UTF8.self) : nil
    }
  }

  /// The bytes are no DER.
  struct Broken: Error {}

  private var rest: ArraySlice<UInt8>

  /// A reader of all elements that stand in some bytes.
  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  /// The next element; nil at the end.
  mutating func next() throws(Broken) -> Element? {
    guard let tag = rest.popFirst() else { return nil }
    // Tags above 30 take more bytes; nothing that is read here has one.
    guard tag & 0x1F != 0x1F else { throw Broken() }
    let count = try length()
    guard count <= rest.count else { throw Broken() }
    defer { rest = rest.dropFirst(count) }
    return Element(tag: tag, content: rest.prefix(count))
  }

  /// A length of at most three bytes: certificates are no longer than that.
  private mutating func length() throws(Broken) -> Int {
    guard let first = rest.popFirst() else { throw Broken() }
    if first < 0x80 { return Int(first) }
    let count = Int(first & 0x7F)
    guard 1...3 ~= count, count <= rest.count else { throw Broken() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
  }
}
