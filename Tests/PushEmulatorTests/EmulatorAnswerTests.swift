import APNS
import HTTP2
import PushEmulator
import Testing

@Suite("What the answer hook can do")
struct EmulatorAnswerTests {
  private let sample: RequestSample
  private let recorded = Recorder()

  init() throws {
    sample = RequestSample().with("authorization", try TestKey().bearer())
  }

  /// An emulator that treats pushes by their number, from 1; others are accepted.
  private func client(_ answers: [Int: EmulatorAnswer]) throws -> TestClient {
    var configuration = EmulatorConfiguration()
    configuration.now = { 1_000_010 }
    configuration.initialStreamLimit = 100
    configuration.journal = .entries { [recorded] in recorded.append($0) }
    configuration.answer = { answers[$0.number] }
    return try TestClient(Emulator(configuration))
  }

  @Test("refuses, with a timestamp for 410")
  func refuses() throws {
    let client = try client([
      1: .reject(.unregistered, timestamp: 1_700_000_000_000), 2: .reject(.shutdown),
    ])
    let gone = try client.send(sample)
    #expect(gone.status == 410)
    #expect(gone.body == #"{"reason":"Unregistered","timestamp":1700000000000}"#)
    #expect(try client.send(sample).status == 503)
    #expect(recorded.entries.map(\.processed) == [false, false])
  }

  @Test("resets a stream with a code")
  func resets() throws {
    let client = try client([1: .reset(code: 7), 2: .reset(code: 2)])
    let ends = try client.send([sample, sample, sample]).map(\.end)
    #expect(ends == [.refused, .inDoubt(errorCode: 2), .answered])
    #expect(recorded.entries.map(\.processed) == [false, false, true])
  }

  @Test("sends GOAWAY with a reason, and answers what it covers")
  func goesAway() throws {
    let end = ConnectionEnd(lastStream: .half, reason: .shutdown)
    let client = try client([1: .goAway(end, then: .accept)])
    let answers = try client.send(Array(repeating: sample, count: 10))
    #expect(client.goAway?.lastStream == 9)
    #expect(client.goAway?.debugData == Array(#"{"reason":"Shutdown"}"#.utf8))
    #expect(
      answers.map(\.end) == Array(repeating: .answered, count: 5)
        + Array(repeating: .notProcessed, count: 5))
    #expect(recorded.entries.map(\.processed) == answers.map { $0.status == 200 })
    try client.run { false }
    #expect(client.isClosed)
  }

  @Test("never denies with GOAWAY what was answered")
  func keepsItsWord() throws {
    let end = ConnectionEnd(lastStream: .exactly(1))
    let client = try client([3: .goAway(end, then: .swallow)])
    let ends = try client.send([sample, sample, sample]).map(\.end)
    #expect(ends == [.answered, .answered, .notProcessed])
    #expect(client.goAway?.lastStream == 3)
  }

  @Test("drops the connection in any way, after what was answered before", arguments: Drop.allCases)
  func drops(_ drop: Drop) throws {
    let client = try client([2: .drop(drop)])
    let first = try client.send(sample)
    let rest = try client.send([sample, sample])
    #expect(first.status == 200 && client.isClosed)
    #expect((client.closing == .closed) == (drop != .rst), "\(String(describing: client.closing))")
    #expect(rest.map(\.end) == [.inDoubt(errorCode: nil), .inDoubt(errorCode: nil)])
    #expect(recorded.entries.filter(\.processed).count == 1)
  }

  @Test("swallows a push and answers the others")
  func swallows() throws {
    let client = try client([1: .swallow, 2: .drop(.closeNotify)])
    let ends = try client.send([sample, sample]).map(\.end)
    #expect(ends == [.inDoubt(errorCode: nil), .inDoubt(errorCode: nil)])
    #expect(
      recorded.entries.map(\.note) == ["not answered", "the connection was dropped (closeNotify)"])
  }

  @Test("is shown the push as it arrived, after the strict checks")
  func seesPush() throws {
    var configuration = EmulatorConfiguration()
    configuration.now = { 1_000_010 }
    configuration.answer = { push in
      let isRight =
        push.number == 2 && push.connection == 1 && push.stream == 3 && push.openStreams == 1
        && push.token?.hex == RequestSample.deviceToken && push.headers["apns-priority"] == "10"
        && push.apnsID == "123e4567-e89b-42d3-a456-426614174000"
        && push.body == Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
      return isRight ? .accept : .reject(.forbidden)
    }
    let client = try TestClient(Emulator(configuration))
    #expect(try client.send(sample.with("apns-topic", nil)).status == 400)
    #expect(try client.send(sample).status == 200)
  }
}
