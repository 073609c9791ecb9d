import APNS
import Testing

@Suite struct APNSIDTests {
  static let text = "123e4567-e89b-42d3-a456-426614174000"

  @Test("A UUID of either case is read and written in lower case")
  func roundTrip() throws {
    #expect(try #require(APNSID(Self.text)).description == Self.text)
    #expect(APNSID(Self.text.uppercased()) == APNSID(Self.text))
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "123e4567e89b42d3a456426614174000", "123e4567-e89b-42d3-a456-42661417400",
      "123e4567-e89b-42d3-a456-4266141740000", "g23e4567-e89b-42d3-a456-426614174000",
      "123e4567-e89b-42d3-a456_426614174000", "{23e4567-e89b-42d3-a456-42661417400}",
    ])
  func refused(text: String) {
    #expect(APNSID(text) == nil)
  }

  @Test(
    "An id of a run is a UUID of version 4 form that gives its number back",
    arguments: [0, 1, 0xFFFF, 0x1234_5678_9ABC, APNSID.sequenceEnd - 1])
  func ofARun(sequence: UInt64) throws {
    for run in [APNSID.RunBits(0, 0), APNSID.RunBits(.max, .max)] {
      let id = APNSID(run, sequence: sequence)
      let text = Array(id.description)
      #expect(APNSID(id.description) == id)
      #expect(text[14] == "4")
      #expect("89ab".contains(text[19]))
      #expect(id.parts?.run == run)
      #expect(id.parts?.sequence == sequence)
    }
  }

  @Test("All 74 random bits reach the id, each in a place of its own")
  func randomBits() {
    let none = APNSID(APNSID.RunBits(0, 0), sequence: 0)
    var ids: Set = [none]
    for bit in 0..<60 { ids.insert(APNSID(APNSID.RunBits(1 << bit, 0), sequence: 0)) }
    for bit in 0..<14 { ids.insert(APNSID(APNSID.RunBits(0, 1 << bit), sequence: 0)) }
    for bit in 0..<48 { ids.insert(APNSID(APNSID.RunBits(0, 0), sequence: 1 << bit)) }
    #expect(ids.count == 1 + 74 + 48)
  }

  @Test("The 36 bytes are written where they belong, and no others")
  func write() throws {
    let id = try #require(APNSID(Self.text))
    var bytes = [UInt8](repeating: 0x2A, count: 38)
    bytes.withUnsafeMutableBufferPointer { id.write(to: $0) }
    #expect(String(decoding: bytes, as: UTF8.self) == Self.text + "**")
  }

  @Test("Every hex digit is written")
  func digits() {
    let text = "fedcba98-7654-3210-0123-456789abcdef"
    #expect(APNSID(text)?.description == text)
  }
}
