import JSONText
import Testing

@Suite("Positions")
struct PositionTests {
  func at(_ line: Int, _ column: Int) -> JSONPosition { JSONPosition(line: line, column: column) }

  @Test("Every key and value knows where it begins")
  func keysAndValues() throws {
    let text = """
      {
        "aps": {"badge": [1, 22, "three"]},
        "naïve 😀 key": null
      }
      """
    let value = try JSONReader().read(text)
    let members = try #require(value.object?.members)
    #expect(value.position == at(1, 1))
    #expect(members.map(\.keyPosition) == [at(2, 3), at(3, 3)])
    #expect(members.map(\.value.position) == [at(2, 10), at(3, 18)])
    let badge = try #require(members[0].value["badge"])
    #expect(badge.position == at(2, 20))
    #expect(badge.array?.map(\.position) == [at(2, 21), at(2, 24), at(2, 28)])
  }

  @Test(
    "CR LF, LF and CR each end a line once",
    arguments: [
      ("\n7", 2), ("\r7", 2), ("\r\n7", 2), ("\n\r7", 3), ("\r\r\n7", 3), ("\r\n\r\n7", 3),
      ("\n\n7", 3), ("              \r\n7", 2),
    ])
  func lineEnds(text: String, line: Int) throws {
    #expect(try JSONReader().read(text).position == at(line, 1))
  }

  @Test("Columns count scalars, whatever their length in bytes")
  func columns() throws {
    let value = try JSONReader().read("[\"aé€😀\", \"e\u{301}\", 1]")
    #expect(value.array?.map(\.position) == [at(1, 2), at(1, 10), at(1, 16)])
  }

  @Test("Comments and continued strings of JSON5 count as the lines they are")
  func json5Lines() throws {
    let value = try JSONReader(.json5).read("[/* é\n */ 'a\\\r\nb', 1]")
    #expect(value.array?.map(\.position) == [at(2, 5), at(3, 5)])
  }

  @Test("Where a value was read does not count in comparing")
  func equality() throws {
    let spread = try JSONReader().read("{ \"a\" : [ 1 ] }")
    let tight = try JSONReader().read("{\"a\":[1]}")
    #expect(spread == tight)
    #expect(spread == ["a": [1]])
    #expect(Set([spread, tight]).count == 1)
  }
}
