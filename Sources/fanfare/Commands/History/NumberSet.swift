/// Numbers that mostly lie close together: a bit for each, in as many words as there are numbers in.
struct NumberSet: Equatable {
  private var words: [Int: UInt64] = [:]

  mutating func insert(_ number: Int) { words[number >> 6, default: 0] |= 1 << (number & 63) }

  func contains(_ number: Int) -> Bool { (words[number >> 6] ?? 0) >> (number & 63) & 1 != 0 }
}
