import APNS
import HTTP2
import PushEmulator
import Testing

@Suite("Answers made of parts")
struct CustomAnswerTests {
  private static let id = "123e4567-e89b-42d3-a456-426614174000"

  private func answer(_ custom: CustomAnswer) throws -> (TestAnswer, TestClient, FaultyServer) {
    let server = try FaultyServer([1: .custom(custom)])
    let client = try server.client()
    return (try client.send(server.sample), client, server)
  }

  static let bodies: [(CustomAnswer, status: Int, body: String, type: String?)] = [
    (CustomAnswer(), 200, "", nil),
    (CustomAnswer(body: .bytes(Array("{}".utf8))), 200, "{}", nil),
    (CustomAnswer(status: .badRequest), 400, "", nil),
    (
      CustomAnswer(status: .unavailable, body: .bytes(Array("<p>".utf8), contentType: "text/html")),
      503, "<p>", "text/html"
    ),
    (
      .refusal(.unregistered, timestamp: 7), 410, #"{"reason":"Unregistered","timestamp":7}"#,
      "application/json"
    ),
    (CustomAnswer(status: Status(rawValue: 520)), 520, "", nil),
  ]

  @Test("have any status and body", arguments: bodies)
  func body(_ row: (custom: CustomAnswer, status: Int, body: String, type: String?)) throws {
    let (answer, client, server) = try answer(row.custom)
    #expect(answer.status == row.status && answer.body == row.body)
    #expect(answer.fields["content-type"] == row.type)
    #expect(server.entries.map(\.status) == [row.status])
    #expect(server.entries.map(\.processed) == [row.status == 200])
    let headers = try #require(client.frames.of(.headers).first)
    #expect(headers.endsStream == row.body.isEmpty)
  }

  @Test("go out whole when they are larger than the window")
  func large() throws {
    let size = 1_000_000
    let custom = CustomAnswer(body: .bytes([UInt8](repeating: 0x20, count: size)))
    let (answer, client, _) = try answer(custom)
    #expect(answer.end == .answered)
    #expect(client.frames.of(.data).map(\.payload.count).reduce(0, +) == size)
  }

  static let identifiers: [(CustomAnswer.Identifier, [String])] = [
    (.echoed, [id]), (.upperCase, [id.uppercased()]), (.twice, [id, id]), (.missing, []),
    (.other("x"), ["x"]),
  ]

  @Test("have any apns-id; the journal has the client's", arguments: identifiers)
  func identifier(_ row: (identifier: CustomAnswer.Identifier, values: [String])) throws {
    let server = try FaultyServer([1: .custom(CustomAnswer(apnsID: row.identifier))])
    let client = try server.client()
    let exchange = try client.begin(server.sample)
    try client.run { exchange.end != nil }
    let values = exchange.headers.fields.filter { $0.name == "apns-id" }.map(\.value)
    #expect(values == row.values)
    #expect(server.entries.map(\.apnsID) == [Self.id])
  }

  @Test("have further fields, interim answers ahead and trailers behind", arguments: [true, false])
  func surroundings(hasBody: Bool) throws {
    let custom = CustomAnswer(
      body: hasBody ? .bytes(Array("hello".utf8)) : .none, fields: [Field("x-odd", "1")],
      interim: [100, 103], trailers: [Field("x-end", "2")])
    let (answer, client, _) = try answer(custom)
    #expect(answer.status == 200 && answer.fields["x-odd"] == "1")
    #expect(answer.fields["x-end"] == nil)
    #expect(answer.body == (hasBody ? "hello" : ""))
    let headers = client.frames.of(.headers)
    #expect(headers.map(\.endsStream) == [false, false, false, true])
  }

  @Test("go out in frames of a size")
  func frames() throws {
    var custom = CustomAnswer.refusal(.badPriority)
    custom.pace = .frames(of: 5)
    let (answer, client, _) = try answer(custom)
    #expect(answer.body == #"{"reason":"BadPriority"}"#)
    #expect(client.frames.of(.data).map(\.payload.count) == [5, 5, 5, 5, 4])
  }

  @Test("trickle as time passes, and other pushes go on")
  func trickle() throws {
    var custom = CustomAnswer.refusal(.badPriority)
    custom.pace = .trickle(bytes: 10, milliseconds: 1000)
    let server = try FaultyServer([1: .custom(custom)])
    let client = try server.client()
    let slow = try client.begin(server.sample)
    for sizes in [[10], [10, 10], [10, 10, 4]] {
      #expect(try client.send(server.sample).status == 200)
      try client.run { client.frames.of(.data).map(\.payload.count) == sizes }
      #expect(slow.status == 400 && (slow.end == nil) == (sizes.count < 3))
      server.clock.advance(1000)
    }
    #expect(String(decoding: slow.body, as: UTF8.self) == #"{"reason":"BadPriority"}"#)
  }

  @Test("stall in the middle of the body")
  func stall() throws {
    var custom = CustomAnswer.refusal(.badPriority)
    custom.pace = .stall(after: 7)
    let server = try FaultyServer([1: .custom(custom)])
    let client = try server.client()
    let slow = try client.begin(server.sample)
    try client.run { !slow.body.isEmpty }
    #expect(try client.send(server.sample).status == 200)
    #expect(slow.end == nil && slow.status == 400 && slow.body.count == 7)
    client.cancel(slow)
    try client.run { slow.end != nil }
    #expect(slow.end == .answered)
  }

  @Test("are followed by RST_STREAM, once they are whole")
  func reset() throws {
    var custom = CustomAnswer.refusal(.badPriority)
    custom.aftermath = .reset(code: 0)
    let (answer, client, _) = try answer(custom)
    #expect(answer.end == .answered && answer.body == #"{"reason":"BadPriority"}"#)
    try client.run { !client.frames.of(.reset).isEmpty }
    #expect(
      client.frames.of(.reset) == [
        ReceivedFrame(kind: .reset, flags: 0, stream: 1, payload: [0, 0, 0, 0])
      ])
  }

  @Test(
    "are cut off after some bytes, and so is the connection", arguments: Drop.allCases, [0, 12, 30])
  func cut(_ drop: Drop, _ bytes: Int) throws {
    var custom = CustomAnswer.refusal(.badPriority)
    custom.aftermath = .drop(drop, afterBytes: bytes)
    let server = try FaultyServer([1: .custom(custom)])
    let client = try server.client()
    let exchange = try client.begin(server.sample)
    try client.run { false }
    #expect(client.isClosed && exchange.end == .inDoubt(errorCode: nil))
    #expect(server.entries.map(\.status) == [400])
    if drop != .rst { #expect(client.bytes(of: 1) == bytes) }
  }

  @Test("are sent whole before the connection ends", arguments: Drop.allCases)
  func drop(_ drop: Drop) throws {
    let custom = CustomAnswer(aftermath: .drop(drop))
    let server = try FaultyServer([2: .custom(custom)])
    let client = try server.client()
    let answers = try client.send([server.sample, server.sample])
    try client.run { false }
    #expect(client.isClosed && server.entries.map(\.status) == [200, 200])
    // A reset may overtake what was sent before it.
    if drop != .rst { #expect(answers.map(\.status) == [200, 200]) }
  }
}
