import APNS
import HTTP2
import PushEmulator
import Testing

@Suite("Faults of the emulator")
struct FaultTests {
  @Test("answers late, and other pushes meanwhile")
  func delays() throws {
    let server = try FaultyServer([1: .delay(milliseconds: 1000, then: .accept)])
    let client = try server.client()
    let late = try client.begin(server.sample)
    #expect(try client.send(server.sample).status == 200)
    #expect(late.end == nil)
    server.clock.advance(999)
    #expect(try client.send(server.sample).status == 200)
    #expect(late.end == nil)
    server.clock.advance(1)
    #expect(try client.send(server.sample).status == 200)
    #expect(late.end == .answered && late.status == 200)
    #expect(server.entries.map(\.processed) == [true, true, true, true])
    #expect(server.entries.first?.note == "after 1000 ms")
  }

  @Test("answers late by the system's clock")
  func delaysForReal() throws {
    let clock = ContinuousClock()
    let server = try FaultyServer([1: .delay(milliseconds: 30, then: .reject(.shutdown))]) {
      $0.uptime = EmulatorConfiguration().uptime
    }
    let start = clock.now
    #expect(try server.answer().status == 503)
    #expect(start.duration(to: clock.now) > .milliseconds(25))
  }

  @Test("does not answer a stream that the client has ended meanwhile")
  func forgetsCancelled() throws {
    let server = try FaultyServer([
      1: .delay(milliseconds: 10, then: .accept),
      2: .delay(milliseconds: 10, then: .reset(code: 2)),
    ])
    let client = try server.client()
    let late = try [client.begin(server.sample), client.begin(server.sample)]
    #expect(try client.send(server.sample).status == 200)
    late.forEach(client.cancel)
    try client.run { late.allSatisfy { $0.end != nil } }
    server.clock.advance(10)
    #expect(try client.send(server.sample).status == 200)
    #expect(client.frames.filter { $0.stream == 1 || $0.stream == 3 }.isEmpty)
  }

  static let secrets: [(EmulatorAnswer, Exchange.End, note: String)] = [
    (.reset(code: 8), .inDoubt(errorCode: 8), "processed; RST_STREAM with code 8"),
    (.reset(code: 7), .refused, "processed; RST_STREAM with code 7"),
    (
      .drop(.rst), .inDoubt(errorCode: nil), "processed; the connection was dropped (rst)"
    ),
    (
      .goAway(ConnectionEnd(lastStream: .exactly(0)), then: .drop(.fin)), .inDoubt(errorCode: nil),
      "processed; the connection was dropped (fin)"
    ),
  ]

  @Test("processes a push of which the client cannot know", arguments: secrets)
  func processes(_ row: (answer: EmulatorAnswer, end: Exchange.End, note: String)) throws {
    let server = try FaultyServer([1: .processed(then: row.answer)])
    #expect(try server.answer().end == row.end)
    let entry = try #require(server.entries.first)
    #expect(entry.processed && entry.status == nil && entry.apnsID != nil)
    #expect(entry.note == row.note)
  }

  @Test("announces GOAWAY ahead, and takes pushes in between")
  func givesNotice() throws {
    let end = ConnectionEnd(
      errorCode: 11, debugData: Array("<html>".utf8), noticeMilliseconds: 1000)
    let server = try FaultyServer([2: .goAway(end, then: .accept)])
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    let late = try [client.begin(server.sample), client.begin(server.sample)]
    try client.run { late.allSatisfy { $0.end != nil } && client.goAway != nil }
    #expect(late.map(\.status) == [200, 200] && client.goAway == GoAway(lastStream: .max))
    server.clock.advance(1000)
    client.ping()
    try client.run { false }
    #expect(client.isClosed)
    let frames = client.frames.of(.goAway).map(\.payload)
    #expect(frames.count == 2)
    #expect(frames.last == [0, 0, 0, 5, 0, 0, 0, 11] + Array("<html>".utf8))
  }

  @Test("leaves the connection open after GOAWAY")
  func staysOpen() throws {
    let end = ConnectionEnd(reason: .shutdown, staysOpen: true)
    let server = try FaultyServer([1: .goAway(end, then: .accept)])
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    #expect(client.isQuiet(milliseconds: 50) && client.goAway?.lastStream == 1)
  }

  @Test("sends GOAWAY for an even stream as for the one below it")
  func goesAwayEvenly() throws {
    let end = ConnectionEnd(lastStream: .exactly(4))
    let server = try FaultyServer([1: .goAway(end, then: .accept)])
    let client = try server.client()
    let samples = Array(repeating: server.sample, count: 3)
    #expect(try client.send(samples).map(\.status) == [200, 200, 0])
    #expect(client.goAway?.lastStream == 3)
  }

  @Test("is a black hole, until it is not")
  func freezes() throws {
    let server = try FaultyServer([2: .freeze(milliseconds: 20, then: .accept)])
    let client = try server.client()
    #expect(try client.send([server.sample, server.sample]).map(\.status) == [200, 200])
    #expect(server.entries.last?.note == "the connection was frozen")
  }

  @Test("is a black hole for good, even to PING")
  func freezesForGood() throws {
    let server = try FaultyServer([1: .freeze(milliseconds: nil, then: .accept)])
    let client = try server.client()
    let exchange = try client.begin(server.sample)
    try client.flush()
    server.awaitEntry()
    client.ping()
    try client.flush()
    server.emulator.stop()
    try client.run { false }
    #expect(client.isClosed && client.pingsAcknowledged == 0 && exchange.end != .answered)
  }

  @Test("freezes once the answer is sent")
  func freezesAfterAnswer() throws {
    let custom = CustomAnswer(aftermath: .freeze(milliseconds: nil))
    let server = try FaultyServer([1: .custom(custom)])
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    let next = try client.begin(server.sample)
    try client.flush()
    server.emulator.stop()
    try client.run { false }
    #expect(next.end == .inDoubt(errorCode: nil) && server.entries.count == 1)
  }

  @Test("does not acknowledge PING frames")
  func ignoresPings() throws {
    let server = try FaultyServer { $0.serverOptions.acknowledgesPings = false }
    let client = try server.client()
    client.ping()
    #expect(try client.send(server.sample).status == 200)
    #expect(try client.send(server.sample).status == 200)
    #expect(client.pingsAcknowledged == 0)
  }

  @Test("pads its frames")
  func pads() throws {
    let server = try FaultyServer([1: .reject(.badPriority)]) { $0.serverOptions.padding = 100 }
    let client = try server.client()
    let answer = try client.send(server.sample)
    #expect(answer.status == 400 && answer.body == #"{"reason":"BadPriority"}"#)
    let frames = client.frames.of(.headers) + client.frames.of(.data)
    #expect(frames.count == 2 && frames.allSatisfy(\.isPadded))
    #expect(frames.last?.payload.count == answer.body.utf8.count + 100)
  }

  @Test("resets connections over the limit")
  func limitsConnections() throws {
    let server = try FaultyServer { $0.connectionLimit = 1 }
    let first = try server.client()
    #expect(try first.send(server.sample).status == 200)
    #expect(throws: DialError.self) { try server.client() }
    #expect(try first.send(server.sample).status == 200)
  }

  @Test("is good for so many pushes to a device token in a span of time")
  func limitsRate() throws {
    let server = try FaultyServer {
      $0.tokenRateLimit = TokenRateLimit(count: 2, milliseconds: 1000)
    }
    let client = try server.client()
    let other = server.sample.with(path: "/3/device/" + String(repeating: "ab", count: 32))
    let samples = [server.sample, server.sample, server.sample, other]
    let answers = try samples.map(client.send)
    #expect(answers.map(\.status) == [200, 200, 429, 200])
    #expect(answers[2].body == #"{"reason":"TooManyRequests"}"#)
    server.clock.advance(999)
    #expect(try client.send(server.sample).status == 429)
    server.clock.advance(1)
    #expect(try client.send(server.sample).status == 200)
  }
}
