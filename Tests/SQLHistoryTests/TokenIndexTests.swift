import APNS
import History
import PlainText
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("The index of device tokens", .overAllHistories)
struct TokenIndexTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  private func bytes(_ number: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 0xFF)]
  }

  /// The runs and numbers of the results of a token.
  private func found(_ token: [UInt8]) throws -> [String] {
    try found(token, in: Database.open(path))
  }

  private func found(_ token: [UInt8], in database: borrowing Database) throws -> [String] {
    let pattern = try #require(TokenPattern(hexadecimal(token)))
    return try database.results(endingIn: pattern).map {
      "\($0 >> RunNumber.sequenceBits):\(RunNumber.sequence(ofRow: $0))"
    }
  }

  private func finishedRun(_ results: [PushResult], at path: String? = nil) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path ?? self.path)
    try ledger.record(results, now: dawn)
    try ledger.finishAll(results.count)
  }

  @Test("finds a token in every run, small and large, finished or not")
  func runs() throws {
    try finishedRun(try Push.samples(10).map(\.accepted))
    try finishedRun(try Push.samples(TokenIndex.smallRun + 1).map(\.accepted))
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try ledger.record(try Push.samples(20).map(\.accepted), now: dawn)
      try ledger.commit()
    }
    #expect(try found(bytes(9)) == ["1:10", "2:10", "3:10"])
    #expect(try found(bytes(15)) == ["2:16", "3:16"])
    #expect(try found(bytes(4096)) == ["2:4097"])
    #expect(try found(bytes(9999)).isEmpty)
    #expect(try rows("SELECT is_indexed FROM progress ORDER BY run", in: path) == ["1", "1", "0"])
  }

  @Test("finds each of many")
  func many() throws {
    try finishedRun(try Push.samples(700).map(\.accepted))
    let database = try Database.open(path)
    for number in 0..<700 {
      let rows = try found(bytes(number), in: database)
      #expect(rows == ["1:\(number + 1)"])
    }
    #expect(try found(bytes(700)).isEmpty)
  }

  @Test("tells tokens apart that end alike, however many there are")
  func equalTails() throws {
    var builder = PushChunkBuilder()
    for number in 10..<99 {
      for text in ["\(number)0000000a", "\(number)0000000b", "\(number)00000001"] {
        Array(text.utf8).withUnsafeBufferPointer { builder.append(token: $0, line: 1) }
      }
    }
    let chunk = builder.take()
    try finishedRun((0..<chunk.count).map { chunk.push(at: $0).accepted })
    #expect(try found([0x10, 0, 0, 0, 0x0A]) == ["1:1"])
    #expect(try found([0x98, 0, 0, 0, 0x0B]) == ["1:\(chunk.count - 1)"])
    #expect(try found([0x50, 0, 0, 0, 0x01]) == ["1:123"])
  }

  @Test("knows what a resumed run added")
  func resumed() throws {
    let pushes = try Push.samples(3)
    try finishedRun([pushes[0].result(.notAttempted), pushes[1].accepted])
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    try ledger.record([pushes[0].accepted, pushes[2].accepted], now: dawn)
    #expect(try found(bytes(1)) == ["1:2"])
    try ledger.finishAll(3)
    for number in 0..<3 { #expect(try found(bytes(number)) == ["1:\(number + 1)"]) }
    #expect(try rows("SELECT is_indexed FROM progress ORDER BY run", in: path) == ["1"])
  }

  @Test("finds tokens as short as can be, and what ends as they do")
  func shortTokens() throws {
    var builder = PushChunkBuilder()
    for text in ["ab", "abcd", "00ab"] {
      Array(text.utf8).withUnsafeBufferPointer { builder.append(token: $0, line: 1) }
    }
    let chunk = builder.take()
    try finishedRun((0..<3).map { chunk.push(at: $0).accepted })
    #expect(try found([0xAB]) == ["1:1", "1:3"])
    #expect(try found([0x00, 0xAB]) == ["1:3"])
  }
  /// In SQL: lets a statement fail that gives groups of two blocks.
  private static let guardedGroups = """
    CREATE FUNCTION guarded(block BIGINT, entries BYTEA) RETURNS BYTEA LANGUAGE plpgsql STABLE AS $$
      BEGIN
        IF current_setting('test.statement', true) = statement_timestamp()::text
            AND current_setting('test.block', true) <> block::text THEN
          RAISE 'two blocks at once';
        END IF;
        PERFORM set_config('test.statement', statement_timestamp()::text, false),
          set_config('test.block', block::text, false);
        RETURN entries;
      END $$;
    ALTER TABLE token_tails RENAME TO tails;
    CREATE VIEW token_tails AS SELECT block, first, guarded(block, entries) AS entries FROM tails
    """

  @Test("is read a block at a time for a few digits: rows are kept in memory", .only(.postgreSQL))
  func blocks() throws {
    let place = try HistoryReference(isBare: true)
    for count in [10, 5, 10] {
      try finishedRun(try Push.samples(count).map(\.accepted), at: place.path)
    }
    let database = try Database.open(place.path)
    try database.execute(Self.guardedGroups)
    #expect(try found([0x00, 0x07], in: database) == ["1:8", "3:8"])
    #expect(try found([0x00, 0x02], in: database) == ["1:3", "2:3", "3:3"])
  }
}
