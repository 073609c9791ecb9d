import APNS
import HTTP2
import JSONText
import Testing

@testable import PushEmulator

/// What libraries send, by what is documented of them, and what scripts do to it.
@Suite("Clients that use channels")
struct ChannelClientTests {
  /// The requests of node-apn 6.4 and later: no content type, `push-type` in lower case, no request ID
  /// unless it is given one.
  private func node(_ sample: RequestSample) -> RequestSample {
    sample.with("apns-request-id", nil)
  }

  private func json(_ answer: TestAnswer) throws -> JSON {
    try JSONReader().read(Array(answer.body.utf8))
  }

  @Test("node-apn creates, reads, lists and deletes channels, and pushes to them")
  func nodeAPN() throws {
    let bench = try ChannelBench()
    let order = #"{"message-storage-policy":1,"push-type":"liveactivity"}"#
    let created = try bench.send(node(.create(order)))
    let id = try #require(created.fields["apns-channel-id"])
    #expect(created.status == 201 && created.fields["apns-request-id"] != nil)
    #expect(bench.entries.last?.note?.contains("LiveActivity") == true)
    let read = try bench.send(node(.manage("GET", channel: id)))
    #expect(read.status == 200)
    #expect(try json(read)["message-storage-policy"] == 1)
    #expect(try json(read)["push-type"] == "LiveActivity")
    let list = try bench.send(node(.manage("GET", "all-channels")))
    #expect(try json(list)["channels"]?.array?.map(\.string) == [id])
    let push = try bench.send(node(.broadcast(id)))
    #expect(push.status == 200 && push.fields["apns-unique-id"] != nil)
    #expect(try bench.send(node(.manage("DELETE", channel: id))).status == 204)
  }

  @Test("a notification's topic and type in another case pass, and the journal has findings")
  func looseHeaders() throws {
    let bench = try ChannelBench()
    let id = try bench.newChannel()
    let sample = RequestSample.broadcast(id).with("apns-push-type", "Liveactivity")
      .with("apns-topic", "com.example.shop.push-type.liveactivity")
    #expect(try bench.send(sample).status == 200)
    let entry = try #require(bench.entries.last)
    #expect(entry.pushType == "liveactivity")
    #expect(entry.findings.contains { $0.rule == "channel-topic" })
  }

  @Test("a body where none is wanted is ignored, as older releases of node-apn send one")
  func strayBody() throws {
    let bench = try ChannelBench()
    let id = try bench.newChannel()
    #expect(try bench.send(.manage("GET", channel: id, body: "{}")).status == 200)
    #expect(try bench.send(.manage("GET", "all-channels", body: "{}")).status == 200)
    #expect(try bench.send(.manage("DELETE", channel: id, body: "{}")).status == 204)
  }

  private func bench(_ script: String) throws -> ChannelBench {
    let script = try FaultScript(Array(script.utf8), file: "script")
    return try ChannelBench { script.apply(to: &$0) }
  }

  @Test("a script leaves a client in doubt about a channel that was created")
  func inDoubt() throws {
    let bench = try bench(
      #"{rules: [{when: {request: "channel"}, processed: true, drop: "fin", times: 1}]}"#)
    #expect(try bench.send(.create()).end == .inDoubt(errorCode: nil))
    let id = try #require(bench.emulator.channels.first?.id.text)
    let entry = try #require(bench.entries.first)
    #expect(entry.processed && entry.status == nil && entry.channel == id)
    let client = try TestClient(bench.emulator)
    let list = try client.send(bench.signed(.manage("GET", "all-channels")))
    #expect(list.body == #"{"channels":["\#(id)"]}"#)
  }

  @Test("a script creates a channel, and tells the client of an error, without the channel's ID")
  func createdWithError() throws {
    let bench = try bench(
      """
      {rules: [{when: {request: "channel"}, processed: true,
                answer: {reason: "InternalServerError"}, times: 1}]}
      """)
    let answer = try bench.send(.create())
    #expect(answer.status == 500 && answer.fields["apns-channel-id"] == nil)
    #expect(answer.body == #"{"reason":"InternalServerError"}"#)
    #expect(bench.emulator.channels.count == 1 && bench.entries.first?.processed == true)
  }

  @Test("a script refuses pushes to one channel alone, and none that manage it unless it says so")
  func oneChannel() throws {
    let id = "AAAAAAAAAAAAAAAAAAAAAA=="
    let bench = try bench(#"{rules: [{when: {channel: "\#(id)"}, answer: {status: 503}}]}"#)
    bench.emulator.replaceChannels(by: [
      Channel(
        id: try ChannelID(id), app: try BundleID(RequestSample.app), policy: .latest, created: 0)
    ])
    #expect(try bench.send(.broadcast(id)).status == 503)
    #expect(try bench.send(.broadcast(bench.newChannel())).status == 200)
    #expect(try bench.send(.manage("DELETE", channel: id)).status == 204)
  }

  @Test(
    "an answer of a script's own carries the new channel, and what was not answered is not done")
  func odd() throws {
    let bench = try bench(
      """
      {rules: [
        {when: {nth: 1, request: "channel"}, answer: {status: 201, apnsID: "missing"}},
        {when: {nth: 2, request: "channel"}, swallow: true},
        {when: {nth: 3, request: "channel"}, answer: {reason: "InternalServerError"}},
      ]}
      """)
    let answer = try bench.send(.create())
    #expect(answer.fields["apns-channel-id"] == bench.emulator.channels.first?.id.text)
    #expect(answer.fields["apns-request-id"] == nil)
    let exchange = try bench.client.begin(bench.signed(.create()))
    #expect(try bench.send(.create()).status == 500)
    #expect(exchange.end == nil && bench.emulator.channels.count == 1)
  }
}
