import HTTP2
import Testing

@Suite("A header block")
struct HeaderBlockTests {
  @Test("keeps fields in order, repeated ones included")
  func order() {
    let block = block(("apns-id", "1"), ("x", ""), ("apns-id", "2"))
    #expect(block.count == 3)
    #expect(block.fields.map(\.name) == ["apns-id", "x", "apns-id"])
    #expect(block.fields.map(\.value) == ["1", "", "2"])
  }

  @Test(
    "finds the first field of exactly that name",
    arguments: [("id", nil), ("apns-id", "1"), ("apns-id2", "3"), ("", nil)] as [(String, String?)])
  func lookUp(name: String, value: String?) {
    let block = block(("apns-id", "1"), ("apns-id", "2"), ("apns-id2", "3"))
    let found: String? =
      switch name {
      case "id": block["id"]
      case "apns-id": block["apns-id"]
      case "apns-id2": block["apns-id2"]
      default: block[""]
      }
    #expect(found == value)
  }

  @Test("is empty at first and after it was emptied")
  func emptied() {
    var block = HeaderBlock()
    #expect(block.isEmpty)
    block.add("name", "value")
    block.removeAll()
    #expect(block.isEmpty)
    #expect(block["name"] == nil)
    #expect(block.matches(HeaderBlock()))
  }

  @Test("takes exactly its limit, drops the field that is too much, and says so")
  func limit() {
    var block = HeaderBlock()
    block.add("n", String(repeating: "v", count: HeaderBlock.limit - HeaderBlock.fieldCost - 1))
    #expect(!block.overflowed)
    block.add("", "x")
    #expect(block.overflowed)
    #expect(block.count == 1)
    block.removeAll()
    #expect(!block.overflowed)
  }

  @Test("takes a smaller field after one that was too large")
  func smallerAfterLarge() {
    var block = HeaderBlock()
    block.add("large", String(repeating: "v", count: HeaderBlock.limit))
    block.add("small", "1")
    #expect(block.fields.map(\.name) == ["small"])
    #expect(block.overflowed)
  }

  @Test("matches a block with the same fields only")
  func matching() {
    let one = block(("ab", "c"), ("d", "e"))
    #expect(one.matches(block(("ab", "c"), ("d", "e"))))
    #expect(!one.matches(block(("a", "bc"), ("d", "e"))))
    #expect(!one.matches(block(("ab", "cd"), ("", "e"))))
    #expect(!one.matches(block(("d", "e"), ("ab", "c"))))
    #expect(!one.matches(block(("ab", "c"))))
  }

  @Test("matches a block whose values differ where they do not count")
  func matchingInPart() {
    let one = block(("path", "/1"), ("id", "x"), ("a", "b"))
    #expect(one.matches(block(("path", "/22"), ("id", ""), ("a", "b")), exceptValuesAt: [0, 1]))
    #expect(!one.matches(block(("path", "/22"), ("id", "y"), ("a", "b")), exceptValuesAt: [0]))
    #expect(!one.matches(block(("pat", "h/1"), ("id", "x"), ("a", "b")), exceptValuesAt: [0]))
    #expect(!one.matches(block(("path", "/1"), ("id", "x"), ("a", "c")), exceptValuesAt: [0, 1]))
    #expect(!one.matches(block(("path", "/1"), ("id", "x")), exceptValuesAt: [0, 1]))
  }

  private func block(_ fields: (String, String)...) -> HeaderBlock {
    var block = HeaderBlock()
    for (name, value) in fields { block.add(name, value) }
    return block
  }
}

extension HeaderBlock {
  fileprivate mutating func add(_ name: String, _ value: String) {
    Array(name.utf8).withUnsafeBufferPointer { name in
      Array(value.utf8).withUnsafeBufferPointer { value in append(name: name, value: value) }
    }
  }
}
