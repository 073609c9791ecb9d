import APNS
import Foundation
import JSONText
import Synchronization
import Testing

@testable import PushEmulator

@Suite("Broadcast channels, over TLS and HTTP/2")
struct ChannelTests {
  private func json(_ push: ReceivedPush) throws -> JSON {
    var writer = JSONWriter()
    push.write(to: &writer)
    return try JSONReader().read(writer.bytes)
  }

  @Test("are created, read, listed and deleted, each call as Apple documents it")
  func calls() throws {
    let bench = try ChannelBench()
    let order = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
    let created = try bench.send(.create(order))
    let id = try #require(created.fields["apns-channel-id"])
    #expect(created.status == 201 && created.body.isEmpty)
    #expect(created.fields.keys.sorted() == [":status", "apns-channel-id", "apns-request-id"])
    #expect(try ChannelID(id).text == id && id.count == 24)
    let read = try bench.send(.manage("GET", channel: id))
    #expect(read.status == 200 && read.body == order)
    #expect(read.fields["content-type"] == "application/json")
    let list = try bench.send(.manage("GET", "all-channels"))
    #expect(list.status == 200 && list.body == #"{"channels":["\#(id)"]}"#)
    let deleted = try bench.send(.manage("DELETE", channel: id))
    #expect(deleted.status == 204 && deleted.body.isEmpty)
    #expect(deleted.fields.keys.sorted() == [":status", "apns-request-id"])
    #expect(try bench.send(.manage("GET", "all-channels")).body == #"{"channels":[]}"#)
    for answer in [created, read, list, deleted] {
      #expect(answer.fields["apns-request-id"] == RequestSample.requestID)
    }
    expectJournal(bench.entries.dropLast(), id, order)
    #expect(bench.emulator.processedCount == 0)
  }

  private func expectJournal(_ entries: some Sequence<ReceivedPush>, _ id: String, _ order: String)
  {
    let (one, all) = ("/1/apps/com.example.shop/channels", "/1/apps/com.example.shop/all-channels")
    let entries = Array(entries)
    #expect(entries.map(\.request.method) == ["POST", "GET", "GET", "DELETE"])
    #expect(entries.map(\.path) == [one, one, all, one])
    #expect(entries.map(\.channel) == [id, id, nil, id])
    #expect(entries.map(\.status) == [201, 200, 200, 204])
    #expect(entries.map(\.request.body) == [Array(order.utf8), [], [], []])
    for entry in entries {
      #expect(entry.requestID == RequestSample.requestID && entry.apnsID == nil)
      #expect(entry.token == nil && entry.processed && entry.uniqueID == nil)
      #expect(entry.request.kind == .channel && entry.request.bundleID == RequestSample.app)
      #expect(entry.findings.isEmpty && entry.pushType == nil)
    }
  }

  @Test("take pushes, which are in the journal as they came, with a card")
  func broadcast() throws {
    let bench = try ChannelBench()
    let id = try bench.newChannel()
    let sample = RequestSample.broadcast(id)
    let answer = try bench.send(sample)
    #expect(answer.status == 200 && answer.body.isEmpty)
    #expect(answer.fields["apns-request-id"] == RequestSample.requestID)
    #expect(answer.fields.keys.sorted() == [":status", "apns-request-id", "apns-unique-id"])
    let entry = try #require(bench.entries.last)
    #expect(entry.request.body == sample.body && entry.request.kind == .broadcast)
    #expect(entry.findings.allSatisfy { !$0.place.description.hasPrefix("apns-") })
    let line = try json(entry)
    #expect(line["request"] == "broadcast" && line["bundleID"] == "com.example.shop")
    #expect(line["channel"]?.string == id && line["token"]?.content == .null)
    #expect(line["requestID"]?.string == RequestSample.requestID)
    #expect(line["apnsID"]?.content == .null && line["pushType"] == "liveactivity")
    #expect(line["card"]?["kind"] == "liveActivity" && line["card"]?["app"] == "com.example.shop")
    #expect(bench.emulator.processedCount == 1)
  }

  @Test("make a request ID where there is none")
  func makesRequestID() throws {
    let bench = try ChannelBench()
    let answer = try bench.send(.create().with("apns-request-id", nil))
    let id = try #require(answer.fields["apns-request-id"])
    #expect(APNSID(id) != nil && bench.entries.last?.requestID == id)
  }

  @Test("keep what they store, and take another expiration only if they store")
  func policies() throws {
    let bench = try ChannelBench()
    for (policy, status) in [(StoragePolicy.nothing, 400), (.latest, 200)] {
      let id = try bench.newChannel(policy)
      let later = try bench.send(.broadcast(id).with("apns-expiration", "2000000"))
      #expect(later.status == status)
      #expect(try bench.send(.broadcast(id)).status == 200)
    }
    #expect(bench.emulator.channels.map(\.policy) == [.nothing, .latest])
  }

  @Test("are a limited number for each app; a deleted one makes room")
  func limit() throws {
    let bench = try ChannelBench { $0.channelLimit = 2 }
    let ids = try (1...2).map { _ in try bench.newChannel() }
    let refused = try bench.send(.create())
    #expect(refused.status == 400 && refused.body == #"{"reason":"CannotCreateChannelConfig"}"#)
    _ = try bench.newChannel(app: "com.example.mail")
    #expect(try bench.send(.manage("DELETE", channel: ids[0])).status == 204)
    _ = try bench.newChannel()
    #expect(EmulatorConfiguration().channelLimit == 10_000)
  }

  @Test("belong to one app")
  func belongToApp() throws {
    let bench = try ChannelBench()
    let id = try bench.newChannel()
    for sample in [
      RequestSample.broadcast(id, app: "com.example.mail"),
      .manage("GET", app: "com.example.mail", channel: id),
      .manage("DELETE", app: "com.example.mail", channel: id),
    ] {
      #expect(try bench.send(sample).body == #"{"reason":"ChannelNotRegistered"}"#)
    }
    #expect(bench.emulator.channels.map(\.id.text) == [id])
  }

  @Test("are the same on both ports, which take every request")
  func twoPorts() throws {
    let bench = try ChannelBench { $0.managePort = 0 }
    let port = try #require(bench.emulator.managePort)
    #expect(port != bench.emulator.port)
    #expect(bench.emulator.manageURL == "https://127.0.0.1:\(port)")
    let manager = try TestClient(bench.emulator, port: port)
    let created = try manager.send(bench.signed(.create()))
    let id = try #require(created.fields["apns-channel-id"])
    #expect(try bench.send(.broadcast(id)).status == 200)
    #expect(try manager.send(bench.signed(.broadcast(id))).status == 200)
    bench.emulator.stop()
    try manager.run { false }
    #expect(manager.isClosed && bench.emulator.openConnectionCount == 0)
  }

  @Test("are never more than the limit, whoever creates them at the same time")
  func concurrency() throws {
    let bench = try ChannelBench { $0.channelLimit = 50 }
    let (emulator, sample) = (bench.emulator, bench.signed(.create()))
    let answers = Mutex<[TestAnswer]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let some = try? Self.create(25, sample, emulator)
      answers.withLock { $0 += some ?? [] }
    }
    let all = answers.withLock(\.self)
    let ids = all.compactMap { $0.fields["apns-channel-id"] }
    #expect(all.count == 100 && ids.count == 50 && Set(ids).count == 50)
    #expect(Set(emulator.channels.map(\.id.text)) == Set(ids))
  }

  private static func create(
    _ count: Int, _ sample: RequestSample, _ emulator: Emulator
  ) throws -> [TestAnswer] {
    let client = try TestClient(emulator)
    return try [client.send(sample)] + client.send(Array(repeating: sample, count: count - 1))
  }

  @Test("open the gate with the first valid provider token, as pushes do")
  func opensGate() throws {
    let bench = try ChannelBench()
    try bench.client.run { bench.client.concurrency != nil }
    #expect(bench.client.concurrency == 1)
    #expect(try bench.client.send(.manage("GET", "all-channels")).status == 403)
    #expect(bench.client.concurrency == 1)
    #expect(try bench.send(.manage("GET", "all-channels")).status == 200)
    #expect(bench.client.concurrency == 1000)
  }

  @Test("do not change what the emulator remembers of pushes to devices")
  func memory() {
    var check = RequestCheck(authentication: .token)
    let device = RequestSample()
    let push = device.with(path: "/4/broadcasts/apps/com.example.shop")
    let list = device.with(path: "/1/apps/com.example.shop/all-channels")
    for _ in 1...2 {
      #expect(check.inspect(device.request).fault == nil)
      #expect(check.inspect(push.request).fault?.refusal.reason == .missingChannelID)
      #expect(check.inspect(list.request).fault?.refusal.reason == .methodNotAllowed)
      #expect(check.inspect(list.with(method: "GET").request).fault == nil)
      let get = check.inspect(device.with(method: "GET").request)
      #expect(get.fault?.refusal.reason == .methodNotAllowed)
    }
  }
}

@Suite("The emulator's channels")
struct ChannelRegistryTests {
  private let registry = ChannelRegistry(limit: 2, totalLimit: 3)

  private func ask(_ request: ChannelRequest, _ app: String) throws -> ChannelReply {
    try registry.carryOut(ChannelOperation(request: request, app: try BundleID(app)), at: 0)
  }

  @Test("are so many at most, however many bundle IDs clients make up")
  func bound() throws {
    for app in ["a", "a", "b"] { _ = try ask(.create(.nothing), app) }
    #expect(throws: ChannelFault.full(limit: 2)) { try ask(.create(.nothing), "a") }
    #expect(throws: ChannelFault.crowded(limit: 3)) { try ask(.create(.nothing), "c") }
    let last = try #require(registry.all.last)
    #expect(try ask(.delete(last.id), "b") == .deleted)
    _ = try ask(.create(.latest), "c")
    #expect(throws: ChannelFault.crowded(limit: 3)) { try ask(.create(.nothing), "b") }
    registry.replace(by: [last, last])
    for app in ["c", "d"] { _ = try ask(.create(.nothing), app) }
    #expect(throws: ChannelFault.crowded(limit: 3)) { try ask(.create(.nothing), "e") }
  }
}
