import APNS
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import Recipients

@Suite("Which rows are sent to", .timeLimit(.minutes(15)))
struct RecipientSelectionTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  private func list(_ name: String, _ text: String) throws -> RecipientSource {
    .file(try folder.file(name, text))
  }

  private func suppressed(_ sources: RecipientSource...) throws -> RecipientSelection {
    RecipientSelection(suppressed: try SuppressedTokens(sources))
  }

  @Test("Suppressed tokens are counted and not sent to, whatever the format and dress")
  func suppression() throws {
    let selection = try suppressed(
      list("a.csv", "status,token\n410,<AB 12>\n"), list("a.jsonl", #"{"token":"CD34"}"#),
      .tokens([DeviceToken("aa11")]))
    let reading = try ListReading(
      [.tokens([DeviceToken("ab12")]), list("b.txt", "cd34\ncd34\nxyz\nef56\naa11\nef56\n")],
      selection: selection)
    #expect(reading.rows == ["b.txt:4 ef56"])
    #expect(reading.counts == .init(lines: 7, badLines: 1, duplicates: 1, suppressed: 4))
  }

  @Test("A list of nobody suppresses nobody; one that is missing is an error")
  func emptySuppression() throws {
    let empty = try suppressed(list("a.csv", "token\n"), list("b.txt", "# none\n"))
    #expect(try ListReading([list("c", "ab12\n")], selection: empty).tokens == ["ab12"])
    let missing = RecipientSource.file(folder.path(of: "none.txt"))
    let error = #expect(throws: ListError.self) { try SuppressedTokens([missing]) }
    #expect(error?.fault == .missing)
  }

  @Test("The limit counts pushes, and nothing after the last of them is read", arguments: 1...4)
  func limit(_ limit: Int) throws {
    let text = "xyz\nab12\nab12\nef56\ncd34\n"
    let sources = [
      RecipientSource.tokens([try DeviceToken("aa11")]), try list("a.txt", text),
      try list("b.txt", "bb22\n"),
    ]
    var selection = try suppressed(list("s.txt", "ef56\n"))
    selection.limit = limit
    let reading = try ListReading(sources, selection: selection)
    let all = ["--to:1 aa11", "a.txt:2 ab12", "a.txt:5 cd34", "b.txt:1 bb22"]
    #expect(reading.rows == Array(all.prefix(limit)))
    #expect(reading.counts.lines == [1, 3, 6, 7][limit - 1])
    #expect(reading.counts.pushes == limit)
  }

  @Test("The limit falls anywhere in a chunk", arguments: [255, 256, 257, 512, 600])
  func limitInChunks(_ limit: Int) throws {
    let text = try deviceTokens(600).map(\.hex).joined(separator: "\n")
    for source in [RecipientSource.tokens(try deviceTokens(600)), try list("a", text)] {
      let reading = try ListReading([source], selection: RecipientSelection(limit: limit))
      #expect(reading.rows.count == limit)
      #expect(reading.counts == .init(lines: limit))
    }
  }

  // Worked out with: printf TOKEN | xxd -r -p | sha256sum
  static let shards: [(token: String, number: Int, count: Int)] = [
    ("0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9", 3, 3),
    ("0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9", 1, 4),
    ("0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9", 3, 10),
    ("ab12", 3, 3), ("cd34", 2, 3), ("ef56", 1, 3), ("aa11", 1, 3),
  ]

  @Test("A token's shard is the same everywhere and in either case", arguments: shards)
  func shard(_ row: (token: String, number: Int, count: Int)) throws {
    for number in 1...row.count {
      let shard = try #require(Shard(number, of: row.count))
      let reading = try ListReading(
        [list("a.txt", row.token.uppercased())], selection: RecipientSelection(shard: shard))
      #expect(reading.tokens == (number == row.number ? [row.token] : []))
      #expect(reading.counts.otherShards == (number == row.number ? 0 : 1))
    }
  }

  @Test("A shard has a number from 1 to the count", arguments: [(0, 1), (2, 1), (1, 0), (-1, 3)])
  func noShard(_ number: Int, _ count: Int) { #expect(Shard(number, of: count) == nil) }

  @Test("Shards share the work: each row is one's, and bad lines are the first one's")
  func partition() throws {
    let rows = try deviceTokens(1000).map(\.hex) + ["xyz", "abc"]
    let source = try list("a.txt", (rows + rows).joined(separator: "\n"))
    let readings = try (1...3).map { number in
      try ListReading([source], selection: RecipientSelection(shard: Shard(number, of: 3)))
    }
    #expect(readings.flatMap(\.tokens).sorted() == rows.dropLast(2).sorted())
    #expect(readings.map(\.counts.badLines) == [4, 0, 0])
    #expect(readings.map(\.badLines.count) == [4, 0, 0])
    #expect(readings.map(\.counts.lines) == [2004, 2004, 2004])
    #expect(readings.allSatisfy { 250...420 ~= $0.tokens.count })
  }

  @Test("Every line is counted once, as the plainest reader decides, in any mixture")
  func agreement() throws {
    var random = SeededRandom(seed: 5)
    for round in 0..<150 {
      let model = try RandomLists(folder, &random)
      let reading = try ListReading(model.sources, selection: model.selection)
      let counts = reading.counts
      #expect(reading.tokens == model.tokens, "round \(round)")
      #expect(counts == model.counts, "round \(round)")
      #expect(counts.pushes == reading.tokens.count)
      #expect(
        counts.lines == counts.pushes + counts.badLines + counts.duplicates + counts.suppressed
          + counts.otherShards)
    }
  }
}

/// Lists of random rows in random formats, and what should become of them.
private struct RandomLists {
  private(set) var sources: [RecipientSource] = []
  let selection: RecipientSelection
  private(set) var tokens: [String] = []
  private(set) var counts = RecipientCounts()

  private static let words = ["xyz", "abc", "-"] + (0..<40).map { "aa\(10 + $0)" }

  init(_ folder: KeptFolder, _ random: inout SeededRandom) throws {
    let lists = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      (0..<Int.random(in: 1...60, using: &random)).map { _ in
        Self.words.randomElement(using: &random) ?? ""
      }
    }
    let suppressed = Self.words.filter { $0.hasPrefix("aa") }
      .filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
    selection = RecipientSelection(
      duplicates: Bool.random(using: &random) ? .first : .send,
      suppressed: try SuppressedTokens([.tokens(suppressed.map { try DeviceToken($0) })]),
      shard: Shard(
        Int.random(in: 1...3, using: &random), of: Int.random(in: 1...3, using: &random)),
      limit: Bool.random(using: &random) ? Int.random(in: 1...50, using: &random) : nil)
    for (index, list) in lists.enumerated() {
      let format = ListFormat.allCases.randomElement(using: &random) ?? .txt
      sources.append(
        .file(try folder.file("\(index).\(format.rawValue)", Self.text(list, format))))
    }
    decide(lists.joined(), Set(suppressed))
  }

  private static func text(_ words: [String], _ format: ListFormat) -> String {
    switch format {
    case .txt: words.joined(separator: "\n\n#\n")
    case .csv: "n,token\n" + words.map { "\"\n\",\"\($0)\"" }.joined(separator: "\r\n")
    case .jsonl: words.map { #"{"token":"\#($0)"}"# }.joined(separator: "\n")
    }
  }

  private mutating func decide(_ words: some Sequence<String>, _ suppressed: Set<String>) {
    var seen: Set<String> = []
    for word in words {
      if tokens.count == selection.limit { return }
      counts.lines += 1
      if !word.hasPrefix("aa") {
        if (selection.shard?.number ?? 1) == 1 {
          counts.badLines += 1
        } else {
          counts.otherShards += 1
        }
      } else if !isInShard(word) {
        counts.otherShards += 1
      } else if suppressed.contains(word) {
        counts.suppressed += 1
      } else if !seen.insert(word).inserted, selection.duplicates == .first {
        counts.duplicates += 1
      } else {
        tokens.append(word)
      }
    }
  }

  private func isInShard(_ word: String) -> Bool {
    var word = word
    return word.withUTF8 { selection.shard?.contains($0, SHA256Hash()) ?? true }
  }
}
