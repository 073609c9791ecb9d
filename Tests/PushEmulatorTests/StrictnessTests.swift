import APNS
import HTTP2
import JSONText
import Synchronization
import TestSupport
import Testing

@testable import PushEmulator

/// What real clients send that was taken for something else, over TLS and HTTP/2.
@Suite("What real clients send")
struct StrictnessTests: EmulatorSuite {
  private let key: TestKey
  private let sample: RequestSample
  let recorded = Recorder()
  let keeps: Int? = 1000

  init() throws {
    key = try TestKey()
    sample = RequestSample().with("authorization", try key.bearer())
  }

  private func json(_ push: ReceivedPush) throws -> JSON {
    var writer = JSONWriter()
    push.write(to: &writer)
    return try JSONReader().read(writer.bytes)
  }

  @Test("a provider token whose iat has a fraction is taken, with a note")
  func fractionalIssueTime() throws {
    let bearer = try key.bearer(
      header: #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
      claims: #"{"iss":"DEF123GHIJ","iat":1000000.25}"#)
    let client = try TestClient(start())
    #expect(try client.send(sample.with("authorization", bearer)).status == 200)
    #expect(recorded.entries.first?.note == ReceivedToken.Oddity.fractionalIssueTime.rawValue)
  }

  @Test("ES512 over P-256 is refused, and journal, inbox and log say why and what to change")
  func misnamedAlgorithm() throws {
    let bearer = try key.bearer(
      header: #"{"alg":"ES512","kid":"ABC123DEFG"}"#,
      claims: #"{"iss":"DEF123GHIJ","iat":1000000}"#)
    let noted = NoticeBox()
    let emulator = try start { $0.notice = { noted.append($0) } }
    let client = try TestClient(emulator)
    for _ in 1...2 {
      let answer = try client.send(sample.with("authorization", bearer))
      #expect(answer.body == #"{"reason":"InvalidProviderToken"}"#)
    }
    let line = try json(try #require(emulator.received?.push(1)))
    #expect(line["note"]?.string == TokenFault.misnamedAlgorithm.rawValue)
    #expect(line["cause"]?.string?.hasPrefix("The header's alg is not ES256") == true)
    #expect(line["fix"]?.string?.contains("ES256") == true)
    #expect(line["headers"]?["authorization"] == "bearer")
    #expect(noted.notices.map(\.connection) == [1])
    #expect(noted.notices.first?.fix == TokenFault.misnamedAlgorithm.fix)
  }

  @Test("of a key that a payload has twice the last counts, and the journal says so")
  func repeatedKey() throws {
    let emulator = try start()
    let twice = sample.with(body: #"{"aps":{"alert":"one","alert":"two"}}"#)
    let client = try TestClient(emulator)
    for _ in 1...2 { #expect(try client.send(twice).status == 200) }
    for number in 1...2 {
      let line = try json(try #require(emulator.received?.push(number)))
      #expect(line["note"]?.string?.contains("key \"alert\"") == true, "\(line)")
      #expect(line["payload"] == ["aps": ["alert": "two"]])
      #expect(line["card"]?["body"] == "two")
      #expect(line["findings"]?.array?.map { $0["rule"] } == ["payload-duplicate-key"])
    }
  }

  @Test("a token shorter than 64 digits is BadDeviceToken, unless a device has it")
  func shortTokens() throws {
    let emulator = try start()
    let client = try TestClient(emulator)
    let short = sample.with(path: "/3/device/0a1b")
    #expect(try client.send(short).body == #"{"reason":"BadDeviceToken"}"#)
    #expect(recorded.entries.first?.note?.contains("4 digits") == true)
    let token = try DeviceToken("0a1b")
    emulator.changeDevices { $0[token] = EmulatedDevice(token: token, topic: "com.example.shop") }
    #expect(try client.send(short).status == 200)
  }

  @Test(
    "an alert on a topic of VoIP or of complications is InvalidPushType",
    arguments: [".voip", ".complication"])
  func alertOnOtherTopic(_ suffix: String) throws {
    let client = try TestClient(start())
    let answer = try client.send(sample.with("apns-topic", "com.example.shop" + suffix))
    #expect(answer.status == 400 && answer.body == #"{"reason":"InvalidPushType"}"#)
  }

  @Test("a background push without a priority is taken, with a finding")
  func backgroundWithoutPriority() throws {
    let client = try TestClient(start())
    let wake = sample.with("apns-push-type", "background").with("apns-priority", nil)
      .with(body: #"{"aps":{"content-available":1}}"#)
    #expect(try client.send(wake).status == 200)
    let findings = try #require(recorded.entries.first).findings
    #expect(findings.map(\.rule) == ["priority-missing"] && findings.first?.fix == "Send 5.")
    #expect(try client.send(wake.with("apns-priority", "10")).body.contains("BadPriority"))
  }

  @Test(
    "bearer with nothing behind it is a missing provider token",
    arguments: ["", "bearer", "bearer ", "Bearer  \t"])
  func emptyBearer(_ value: String) throws {
    let answer = try TestClient(start()).send(sample.with("authorization", value))
    #expect(answer.status == 403 && answer.body == #"{"reason":"MissingProviderToken"}"#)
    let explanation = try #require(recorded.entries.first?.explanation)
    #expect(explanation.fix.contains("a variable was empty"))
  }

  @Test(
    "an iat that is not near the clock is explained by the clock, and by milliseconds",
    arguments: [(iat: 1_000_000_000, fix: "milliseconds"), (iat: 1000, fix: "set the clock")])
  func distantIssueTime(_ row: (iat: Int, fix: String)) throws {
    let bearer = try key.bearer(
      header: #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
      claims: #"{"iss":"DEF123GHIJ","iat":\#(row.iat)}"#)
    #expect(try TestClient(start()).send(sample.with("authorization", bearer)).status == 403)
    let explanation = try #require(recorded.entries.first?.explanation)
    #expect(explanation.cause.contains("iat") && explanation.fix.contains(row.fix))
  }

  @Test("BadMessageId comes with the client's own apns-id")
  func badMessageID() throws {
    let client = try TestClient(start())
    let answer = try client.send(sample.with("apns-id", "order-17"))
    #expect(answer.body == #"{"reason":"BadMessageId"}"#)
    #expect(answer.fields["apns-id"] == "order-17")
    #expect(recorded.entries.first?.apnsID == "order-17")
  }

  @Test("a header that is repeated is refused, and the journal has every value of it")
  func repeatedHeader() throws {
    var repeated = sample
    for value in ["com.example.other", "com.example.shop"] {
      repeated.fields.append(("apns-topic", value))
    }
    let answer = try TestClient(start()).send(repeated)
    #expect(answer.body == #"{"reason":"DuplicateHeaders"}"#)
    let headers = try json(try #require(recorded.entries.first))["headers"]
    #expect(
      headers?["apns-topic"] == ["com.example.shop", "com.example.other", "com.example.shop"])
    #expect(headers?["apns-push-type"] == "alert")
    #expect(headers?.object?.keys.count == 7)
  }

  @Test("headers above 8,000 bytes are refused, and the limit is announced")
  func headerList() throws {
    let client = try TestClient(start())
    let fitting = sample.with("x-filling", String(repeating: "x", count: 6000))
    let long = sample.with("x-filling", String(repeating: "x", count: 8000))
    #expect(try client.send(fitting).status == 200)
    #expect(try client.send(long).body == #"{"reason":"EmulatorHeadersTooLong"}"#)
    let settings = try #require(client.frames.of(.settings).first { $0.flags == 0 })
    #expect(settings.payload.windows(of: 6).contains([0, 6, 0, 0, 0x1F, 0x40]))
  }
}

/// What HTTP/2 refuses by itself.
@Suite("Requests refused at the HTTP/2 level")
struct RefusedStreamTests {
  private let noted = NoticeBox()

  private func start() throws -> Emulator {
    var configuration = EmulatorConfiguration()
    configuration.keeps = 1000
    configuration.notice = { [noted] in noted.append($0) }
    return try Emulator(configuration)
  }

  @Test("99 of 100 streams that come before SETTINGS are read are told in the log, once")
  func refusedStreams() throws {
    let emulator = try start()
    let client = try RawClient(emulator)
    let requests = (0..<100).flatMap { RawPush.opening(UInt32(2 * $0 + 1)).bytes }
    try client.say(RawFrame.preface + RawFrame.settings().bytes + requests) { frames in
      frames.count { $0.kind == .resetStream } == 99
    }
    try client.settle()
    let pushes = try #require(emulator.received).page(limit: 1000).pushes
    #expect(pushes.count == 99)
    #expect(pushes.allSatisfy { $0.isRefusedByHTTP2 && $0.status == nil && !$0.processed })
    #expect(pushes.map(\.stream) == (1..<100).map { Int32(2 * $0 + 1) })
    #expect(noted.notices.count == 1)
    let notice = try #require(noted.notices.first)
    // It is told of those that were read at once, which need not be all.
    #expect(notice.text.contains("streams were refused"))
    #expect(notice.fix.contains("--streams-at-start"))
  }

  @Test(
    "a client that does not speak HTTP/2, or no TLS, is told in the log",
    arguments: [
      ("offers http/1.1 alone", ["-alpn", "http/1.1"], "does not speak HTTP/2"),
      ("offers nothing", [], "does not speak HTTP/2"),
    ])
  func otherProtocol(_ row: (name: String, options: [String], says: String)) throws {
    let emulator = try start()
    let words = ["s_client", "-quiet", "-connect", "127.0.0.1:\(emulator.port)"] + row.options
    _ = try withTemporaryFolder { folder in
      try folder.write("request", "GET /3/device/ab HTTP/1.1\r\nHost: a\r\n\r\n")
      let path = try requirePath(of: "openssl")
      return try Program(path: path, words, in: folder, input: .file(folder.file("request")))
        .finish()
    }
    emulator.stop()
    #expect(noted.notices.count == 1 && noted.notices.first?.connection == 1)
    #expect(noted.notices.first?.text.contains(row.says) == true)
  }

  @Test("a client that speaks HTTP without TLS is told in the log")
  func plainHTTP() throws {
    let emulator = try start()
    _ = PlainRequest.get(
      "/", at: try #require(HostAddress("127.0.0.1")), port: emulator.port, headers: [],
      milliseconds: 10_000)
    emulator.stop()
    #expect(noted.notices.map(\.connection) == [1])
    #expect(noted.notices.first?.text.contains("without TLS") == true)
  }

  @Test("a malformed request is in the inbox with its path and a note")
  func malformed() throws {
    let emulator = try start()
    let client = try RawClient(emulator)
    let bad = RawPush.request(adding: ("Apns-Priority", "10"))
    try client.say(RawFrame.preface + RawFrame.settings().bytes + bad.bytes) { frames in
      frames.contains { $0.kind == .resetStream }
    }
    try client.settle()
    let pushes = try #require(emulator.received).page(limit: 10).pushes
    #expect(pushes.count == 1)
    let push = try #require(pushes.first)
    var writer = JSONWriter()
    push.write(to: &writer)
    let line = try JSONReader().read(writer.bytes)
    #expect(line["refusedBy"] == "HTTP/2" && line["status"]?.number == nil)
    #expect(line["token"]?.string == RequestSample.deviceToken)
    #expect(line["note"]?.string?.contains("malformed") == true && line["fix"]?.string != nil)
    #expect(line["findings"] == nil && line["card"] == nil)
  }
}

/// Takes notices.
final class NoticeBox: Sendable {
  private let storage = Mutex<[EmulatorNotice]>([])
  var notices: [EmulatorNotice] { storage.withLock { $0 } }
  func append(_ notice: EmulatorNotice) { storage.withLock { $0.append(notice) } }
}

extension [UInt8] {
  fileprivate func windows(of count: Int) -> [[UInt8]] {
    stride(from: 0, to: self.count - count + 1, by: count).map { Array(self[$0..<$0 + count]) }
  }
}
