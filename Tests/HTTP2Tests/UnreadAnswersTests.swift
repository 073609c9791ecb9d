import HTTP2
import TestSupport
import Testing

@Suite("A server session whose client reads nothing", .timeLimit(.minutes(15)))
struct UnreadAnswersTests {
  private static let start = RawFrame.preface + RawFrame.settings().bytes

  /// What a client may say again and again, with a stream of its own each time.
  struct Flood: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: @Sendable (UInt32) -> [UInt8]
    var testDescription: String { name }
  }

  static let floods = [
    Flood(name: "PING") { RawFrame.ping(UInt64($0)).bytes },
    Flood(name: "SETTINGS") { _ in RawFrame.settings().bytes },
    Flood(name: "requests") { request($0) },
    Flood(name: "malformed requests") { stream in
      RawFrame.headers(stream, ["UPPER": "case"], flags: 5).bytes
    },
    Flood(name: "requests among PINGs") { stream in
      request(stream) + RawFrame.ping().bytes + RawFrame.ping().bytes
    },
    Flood(name: "requests that are reset") { stream in
      request(stream) + RawFrame.reset(stream, ErrorCode.cancel).bytes
    },
    Flood(name: "windows of 0") { stream in
      RawFrame.headers(stream, [":method": "POST"], flags: RawFrame.endHeaders).bytes
        + RawFrame.data(stream, "x").bytes
    },
  ]

  @Test("ends it, and keeps little for it", arguments: floods)
  func bounded(_ flood: Flood) throws {
    let session = try ServerSession(maxConcurrentStreams: 1000)
    let channel = MemoryChannel()
    channel.room = 0
    try receive(Self.start, session)
    let error = #expect(throws: SessionError.self) {
      // A hundred thousand pushes would be a small run.
      for number in 0..<100_000 {
        try receive(flood.bytes(UInt32(2 * number + 1)), session)
        try answer(session)
        _ = try session.send(over: channel)
      }
    }
    #expect(error?.code == -904)
    #expect(session.openCount <= 1000)
    channel.room = .max
    _ = try session.send(over: channel)
    let said = channel.takeAll()
    #expect(said.count < 1_000_000)
    #expect(RawFrame.frames(in: said).last?.errorCode == ErrorCode.enhanceYourCalm)
    #expect(session.isFinished)
  }

  @Test("does not take more of a body than the window allows")
  func beyondWindow() throws {
    let session = try ServerSession(maxConcurrentStreams: 1)
    let request = RawFrame.headers(1, Self.fields, flags: RawFrame.endHeaders)
    let part = RawFrame(.data, stream: 1, payload: [UInt8](repeating: 0, count: 16_384))
    try receive(Self.start + request.bytes + (0..<100).flatMap { _ in part.bytes }, session)
    let channel = MemoryChannel()
    _ = try session.send(over: channel)
    let last = RawFrame.frames(in: channel.takeAll()).last
    #expect(last?.kind == .goAway)
    #expect(last?.errorCode == ErrorCode.flowControl)
  }

  private static let fields: KeyValuePairs = [
    ":method": "POST", ":scheme": "https", ":authority": "localhost", ":path": "/3/device/0a1b",
  ]

  private static func request(_ stream: UInt32) -> [UInt8] {
    RawFrame.headers(stream, fields, flags: RawFrame.endHeaders | RawFrame.endStream).bytes
  }

  private func receive(_ bytes: [UInt8], _ session: ServerSession) throws {
    try bytes.withUnsafeBytes { try session.receive($0) }
  }

  private func answer(_ session: ServerSession) throws {
    try session.takeRequests { try session.respond(to: $0, status: 200, fields: []) }
  }
}
