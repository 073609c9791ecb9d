import APNS
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import SQLQueue

@Suite("The recipients of a chunk in the queue")
struct QueuedRecipientsTests {
  private var echo: (any RowRendering)? { EchoRendering(names: QueueSample.names) }

  private func parts(
    of queued: QueuedRecipients, from first: UInt64, most: Int,
    _ rendering: (any RowRendering)?
  ) throws -> [PushChunk] {
    var rendering = rendering
    let claim = ChunkClaim.sample(first)
    return try stride(from: first, to: first + UInt64(queued.count), by: most).map {
      try #require(queued.part(from: $0, most: most, claim, &rendering))
    }
  }

  @Test("are read as they were written, in parts of any size", arguments: [16, 100, 256])
  func roundTrip(most: Int) throws {
    var sample = QueueSample(list: "Gäste.csv", hasValues: true)
    _ = try sample.next(70)
    let chunks = try [sample.next(), sample.next(), sample.next(88)]
    let queued = try #require(QueuedRecipients(chunks.queuedValue, count: 600))
    let parts = try parts(of: queued, from: 71, most: most, echo)
    #expect(parts.described == chunks.described)
    #expect(parts.allSatisfy { $0.count <= most && $0.claim?.chunk == 71 })
    #expect(parts.map(\.firstSequence) == parts.indices.map { UInt64(71 + $0 * most) })
    let third = try #require(parts[0].withPayload(at: 1) { String(decoding: $0, as: UTF8.self) })
    #expect(third == "name missing, number json 72")
    let fourth = try #require(parts[0].withPayload(at: 2) { String(decoding: $0, as: UTF8.self) })
    #expect(fourth == "name text Zoë 73, number json 73")
  }

  @Test("may begin in the middle, and end before a part is full")
  func middle() throws {
    var sample = QueueSample()
    let chunk = try sample.next(200)
    let queued = try #require(QueuedRecipients([chunk].queuedValue, count: 200))
    var rendering: (any RowRendering)?
    let part = try #require(queued.part(from: 151, .sample(), &rendering))
    #expect(part.count == 50 && [part].described == Array([chunk].described[150...]))
    #expect(!part.hasPayloads)
  }

  @Test("may be a channel")
  func channel() throws {
    var sample = QueueSample(channel: "dHN0LXNyY2gtY2hubA==")
    let chunk = try sample.next(1)
    let queued = try #require(QueuedRecipients([chunk].queuedValue, count: 1))
    #expect(try parts(of: queued, from: 1, most: 256, nil).described == [chunk].described)
  }

  @Test("that break a rule when they are rendered are marked")
  func broken() throws {
    var sample = QueueSample(hasValues: true)
    let queued = try #require(QueuedRecipients([try sample.next(3)].queuedValue, count: 3))
    var rendering: (any RowRendering)? = RefusingRows()
    let part = try #require(queued.part(from: 1, .sample(), &rendering))
    #expect((0..<3).map { part.problems(at: $0) != nil } == [false, false, true])
  }

  @Test("are refused when their values are not those that the template wants")
  func otherValues() throws {
    var (with, without) = (QueueSample(hasValues: true), QueueSample())
    let valued = try #require(QueuedRecipients([try with.next(3)].queuedValue, count: 3))
    let plain = try #require(QueuedRecipients([try without.next(3)].queuedValue, count: 3))
    var (none, one, two): ((any RowRendering)?, (any RowRendering)?, (any RowRendering)?) =
      (nil, EchoRendering(names: ["name"]), echo)
    #expect(valued.part(from: 1, .sample(), &none) == nil)
    #expect(valued.part(from: 1, .sample(), &one) == nil)
    #expect(valued.part(from: 1, .sample(), &two) != nil)
    #expect(plain.part(from: 1, .sample(), &two) == nil)
    #expect(plain.part(from: 1, .sample(), &none) != nil)
  }

  @Test("are refused when anything is damaged")
  func damage() throws {
    var random = SeededRandom(seed: 3)
    var sample = QueueSample(hasValues: true)
    let whole = [try sample.next(9)].queuedValue
    #expect(QueuedRecipients(whole, count: 9) != nil)
    for count in [-1, 0, 1, 8, 10, 1025, .max] {
      #expect(QueuedRecipients(whole, count: count) == nil)
    }
    for index in whole.indices {
      #expect(QueuedRecipients(Array(whole[..<index]), count: 9) == nil)
      var flipped = whole
      flipped[index] ^= UInt8.random(in: 1...255, using: &random)
      #expect(QueuedRecipients(flipped, count: 9) == nil)
    }
  }

  @Test("are refused or read when somebody has made another value", arguments: 0..<20)
  func forged(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var sample = QueueSample(channel: seed % 4 == 0 ? "c" : nil, hasValues: seed % 2 == 0)
    let body = Array([try sample.next(20)].queuedValue.dropFirst(QueuedRecipients.headSize))
    for _ in 0..<200 {
      var other = body
      for _ in 0..<Int.random(in: 1...3, using: &random) { other.damage(&random) }
      let value = [QueuedRecipients.version] + QueuedRecipients.checksum(of: other[...]) + other
      guard let queued = QueuedRecipients(value, count: 20) else { continue }
      var rendering = seed % 2 == 0 ? echo : nil
      guard let part = queued.part(from: 1, .sample(), &rendering) else { continue }
      #expect(part.count == 20)
      #expect(part.pushes.allSatisfy { $0.line > 0 && $0.token.utf8.count <= 400 })
    }
  }

  @Test("have one form for ever")
  func form() throws {
    var builder = PushChunkBuilder()
    builder.begin(list: "a")
    for (line, token) in [(7, "0a"), (9, "ffee")] {
      var token = token
      token.withUTF8 { builder.append(token: $0, line: line) }
    }
    let expected: [UInt8] =
      [1, 0x77, 0xE2, 0xAB, 0xB6, 0x30, 0x79, 0xEA, 0x54]
      + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 0, 0x61]
      + [7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2]
      + [0, 0, 0, 0, 0, 0, 0, 0x80, 0]
      + [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]
      + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0]
      + [0x0A, 0xFF, 0xEE]
    #expect([builder.take()].queuedValue == expected)
  }
}

@Suite("Gathering recipients for a chunk of the queue")
struct RecipientGatheringTests {
  private func gathering(_ chunk: PushChunk) -> RecipientGathering {
    var gathering = RecipientGathering(at: chunk.push(at: 0))
    for push in chunk.pushes { gathering.append(push) }
    return gathering
  }

  @Test("takes those of one list and one channel, with or without values")
  func alike() throws {
    var sample = QueueSample()
    let gathering = try gathering(sample.next())
    #expect(try gathering.takes(sample.next()))
    var others = [sample, sample, sample]
    others[0].list = "other.txt"
    others[1].channel = "c"
    others[2].hasValues = true
    for index in others.indices { #expect(try !gathering.takes(others[index].next())) }
  }

  @Test("ends when the chunk is full")
  func full() throws {
    var sample = QueueSample()
    var gathering = try gathering(sample.next())
    for _ in 0..<3 {
      let chunk = try sample.next()
      #expect(gathering.takes(chunk))
      for push in chunk.pushes { gathering.append(push) }
    }
    #expect(try gathering.count == 1024 && !gathering.takes(sample.next()))
  }

  @Test("ends when the values are many bytes")
  func large() throws {
    var builder = PushChunkBuilder()
    var rendering: (any RowRendering)? = LargeRows()
    builder.begin(list: "a")
    for line in 1...2 {
      builder.append(token: UnsafeBufferPointer(start: nil, count: 0), line: line)
      builder.render(TemplateValues(), &rendering)
    }
    let chunk = builder.take()
    var gathering = RecipientGathering(at: chunk.push(at: 0))
    #expect(gathering.takes(chunk))
    gathering.append(chunk.push(at: 0))
    #expect(!gathering.takes(chunk))
  }
}

/// Makes as much of each row as a chunk takes.
private struct LargeRows: RowRendering {
  let names: [String] = []

  mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    payload += Array(repeating: 7, count: RecipientGathering.valueLimit)
  }
}

/// Refuses rows without a name.
private struct RefusingRows: RowRendering {
  let names = QueueSample.names

  mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    if values.withValue(at: 0, { kind, _ in kind == .missing }) {
      throw BrokenRules([Problem(.error, rule: "r", at: .other("x"), message: "bad", fix: "")])
    }
  }
}

extension [UInt8] {
  /// Changes a byte, takes it out, or puts one in.
  fileprivate mutating func damage(_ random: inout SeededRandom) {
    guard let index = indices.randomElement(using: &random) else { return }
    let byte = UInt8.random(in: 0...255, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: remove(at: index)
    case 1: insert(byte, at: index)
    default: self[index] = byte
    }
  }
}
