import JSONText
import Testing

@Suite("Random and broken texts")
struct RandomTests {
  static let sample =
    #"{"aps":{"alert":{"title":"Gr\u00fc\uD83D\uDE00é😀","n":[-1.5e+3,0,true,false,null]}},"x":""}"#

  @Test(
    "What is written reads back as it was, in every style and dialect",
    arguments: [JSONWriter.Style.compact, .pretty, .wire])
  func roundTrip(style: JSONWriter.Style) throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<500 {
      let value = random.json()
      let bytes = value.encoded(style)
      #expect(try JSONReader(.json).read(bytes) == value)
      #expect(try JSONReader(.json5).read(bytes) == value)
      #expect(try JSONReader().read(bytes).encoded(style) == bytes)
    }
  }

  @Test("A text cut off at any byte is an error", arguments: [JSONReader.Grammar.json, .json5])
  func truncation(dialect: JSONReader.Grammar) throws {
    let bytes = Array(Self.sample.utf8)
    _ = try JSONReader(dialect).read(bytes)
    for end in 0..<bytes.count {
      #expect(throws: JSONSyntaxError.self, "\(end) bytes") {
        try JSONReader(dialect).read(Array(bytes[..<end]))
      }
    }
  }

  @Test("Of all single bytes only the digits are a text", arguments: UInt8.min...UInt8.max)
  func singleByte(byte: UInt8) {
    let isDigit = (0x30...0x39).contains(byte)
    for dialect in [JSONReader.Grammar.json, .json5] {
      #expect(((try? JSONReader(dialect).read([byte])) != nil) == isDigit)
    }
  }

  @Test("Every byte inside a string is taken or refused as its encoding says")
  func byteInString() {
    for byte in UInt8.min...UInt8.max {
      let isPlain = byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
      for length in [0, 7, 8, 20] {
        let padding = [UInt8](repeating: 0x61, count: length)
        let text = [0x22] + padding + [byte] + padding + [0x22]
        #expect(((try? JSONReader().read(text)) != nil) == isPlain, "byte \(byte)")
      }
    }
  }

  @Test("No mutated text crashes, and what is still read survives a round trip")
  func mutation() throws {
    var random = SeededRandom(seed: 7)
    let json5 = "// c\n{a: 'b\\\nc', /* d */ \"e\": [.5, +0xFF, 5., -1e9,], größe: '\\x41\\v', }"
    let seeds = [Self.sample, json5].map { Array($0.utf8) }
    var stillGood = 0
    for round in 0..<20_000 {
      let text = mutate(seeds[round % 2], using: &random)
      for dialect in [JSONReader.Grammar.json, .json5] {
        guard let value = try? JSONReader(dialect).read(text) else { continue }
        stillGood += 1
        #expect(try JSONReader().read(value.encoded()) == value)
      }
    }
    #expect(stillGood > 1_000)
  }

  private func mutate(_ text: [UInt8], using random: inout SeededRandom) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<text.count, using: &random)
      let other = Int.random(in: 0..<text.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: text[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: text.remove(at: place)
      case 2: text.insert(text[other], at: place)
      case 3: text.swapAt(place, other)
      default: text.replaceSubrange(place..<place, with: text[min(place, other)..<other])
      }
      if text.isEmpty { return [0x5B] }
    }
    return text
  }
}
