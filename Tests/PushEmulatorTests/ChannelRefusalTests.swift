import APNS
import TestSupport
import Testing

@testable import PushEmulator

/// Every reason that Apple documents for channels, and those that the emulator adds.
@Suite("Refused requests about channels")
struct ChannelRefusalTests {
  /// A request, made for a channel that stores nothing, and the reason it gets.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var reason: Reason
    var sample: @Sendable (_ channel: String) -> RequestSample

    init(
      _ name: String, _ reason: Reason, _ sample: @escaping @Sendable (String) -> RequestSample
    ) {
      (testDescription, self.reason, self.sample) = (name, reason, sample)
    }
  }

  private static let unknown = "AAAAAAAAAAAAAAAAAAAAAA=="
  private static let long = String(repeating: "x", count: 9000)

  static let broadcasts = [
    Case("to no channel", .missingChannelID) { _ in .broadcast(nil) },
    Case("to an empty channel", .missingChannelID) { _ in .broadcast("") },
    Case("to what is no channel ID", .badChannelID) { _ in .broadcast("no channel!") },
    Case("to half a channel ID", .badChannelID) { .broadcast(String($0.dropLast(3))) },
    Case("to an unknown channel", .channelNotRegistered) { _ in .broadcast(unknown) },
    Case("without a push type", .missingPushType) { .broadcast($0).with("apns-push-type", nil) },
    Case("with another push type", .invalidPushType) {
      .broadcast($0).with("apns-push-type", "alert")
    },
    Case("with a date that is none", .badExpirationDate) {
      .broadcast($0).with("apns-expiration", "soon")
    },
    Case("without an expiration", .badExpirationDate) {
      .broadcast($0).with("apns-expiration", nil)
    },
    Case("to be stored by a channel that stores nothing", .badExpirationDate) {
      .broadcast($0).with("apns-expiration", "2000000")
    },
    Case("with a bad priority", .badPriority) { .broadcast($0).with("apns-priority", "7") },
    Case("without a priority", .badPriority) { .broadcast($0).with("apns-priority", nil) },
    Case("with a bad request ID", .badMessageID) { .broadcast($0).with("apns-request-id", "1") },
    Case("with a bad apns-id", .badMessageID) { .broadcast($0).with("apns-id", "1") },
    Case("without a body", .payloadEmpty) { .broadcast($0).with(body: "") },
    Case("of 5,121 bytes", .payloadTooLarge) {
      let start = #"{"aps":{"event":"update","timestamp":1},"x":""#
      let rest = String(repeating: "x", count: 5121 - start.utf8.count - 2)
      return .broadcast($0).with(body: start + rest + #""}"#)
    },
    Case("far too long", .payloadTooLarge) { .broadcast($0).with(body: long) },
    Case("that is no JSON", .badRequestPayload) { .broadcast($0).with(body: "{aps}") },
    Case("that is a list", .badRequestPayload) { .broadcast($0).with(body: "[]") },
    Case("to a topic", .topicDisallowed) {
      .broadcast($0, app: "com.example.shop.push-type.liveactivity")
    },
    Case("to what is no bundle ID", .topicDisallowed) { .broadcast($0, app: "com..shop") },
    Case("by GET", .methodNotAllowed) { .broadcast($0).with(method: "GET") },
    Case("to a longer path", .badPath) { .broadcast($0, app: "com.example.shop/more") },
    Case("to no app", .badPath) { .broadcast($0, app: "") },
    Case("with a header twice", .duplicateHeaders) {
      .broadcast($0).repeating("apns-channel-id")
    },
  ]

  static let calls = [
    Case("that reads no channel", .missingChannelID) { _ in .manage("GET") },
    Case("that deletes no channel", .missingChannelID) { _ in .manage("DELETE") },
    Case("that reads what is no ID", .badChannelID) { _ in .manage("GET", channel: "%") },
    Case("that reads an unknown channel", .channelNotRegistered) { _ in
      .manage("GET", channel: unknown)
    },
    Case("that deletes an unknown channel", .channelNotRegistered) { _ in
      .manage("DELETE", channel: unknown)
    },
    Case("that creates with an unknown member", .badRequestParams) { _ in
      .create(#"{"message-storage-policy":0,"push-type":"LiveActivity","name":"x"}"#)
    },
    Case("that creates with what is no JSON", .badRequestPayload) { _ in .create("{") },
    Case("that creates with a list", .badRequestPayload) { _ in .create("[]") },
    Case("that creates with nothing", .payloadEmpty) { _ in .create("") },
    Case("that creates with too much", .payloadTooLarge) { _ in .create(long) },
    Case("that creates without a policy", .missingChannelQueueSize) { _ in
      .create(#"{"push-type":"LiveActivity"}"#)
    },
    Case("that creates with an unknown policy", .missingChannelQueueSize) { _ in
      .create(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#)
    },
    Case("that creates with a policy in text", .missingChannelQueueSize) { _ in
      .create(#"{"message-storage-policy":"0","push-type":"LiveActivity"}"#)
    },
    Case("that creates without a push type", .missingPushType) { _ in
      .create(#"{"message-storage-policy":0}"#)
    },
    Case("that creates with another push type", .invalidPushType) { _ in
      .create(#"{"message-storage-policy":0,"push-type":"alert"}"#)
    },
    Case("with a bad request ID", .badMessageID) { _ in
      .create().with("apns-request-id", "1")
    },
    Case("for a topic", .topicDisallowed) { _ in .create(app: "com.example.shop.push-type.widgets")
    },
    Case("by PUT", .methodNotAllowed) { _ in .manage("PUT") },
    Case("that posts to the list", .methodNotAllowed) { _ in .manage("POST", "all-channels") },
    Case("of another path", .badPath) { _ in .manage("GET", "channel") },
    Case("without a provider token", .missingProviderToken) { _ in
      .create().with("authorization", "bearer")
    },
    Case("with a bad provider token", .invalidProviderToken) { _ in
      .create().with("authorization", "bearer x")
    },
  ]

  @Test("get the reason in JSON, and are explained in the journal", arguments: broadcasts + calls)
  func refusal(_ example: Case) throws {
    let bench = try ChannelBench()
    let answer = try bench.send(example.sample(bench.newChannel()))
    #expect(answer.body == #"{"reason":"\#(example.reason)"}"#)
    #expect(answer.status == example.reason.info?.status.rawValue)
    #expect(answer.fields["content-type"] == "application/json")
    let entry = try #require(bench.entries.last)
    #expect(entry.reason == example.reason && !entry.processed)
    #expect(entry.explanation?.fix.isEmpty == false)
    #expect(bench.emulator.channels.count == 1)
    #expect((answer.fields["apns-unique-id"] == nil) == (entry.request.kind == .channel))
    if entry.request.kind != .device {
      #expect(answer.fields["apns-request-id"] != nil && answer.fields["apns-id"] == nil)
    }
  }

  @Test("are explained as what they are: pushes to a channel")
  func cause() throws {
    let bench = try ChannelBench { configuration in
      configuration.answer = { push in
        push.kind == .broadcast
          ? .reject(status: .tooMany, reason: .tooManyRequests) : nil
      }
    }
    _ = try bench.send(.broadcast(try bench.newChannel()))
    let explanation = try #require(bench.entries.last?.explanation)
    #expect(explanation.cause == "Too many pushes were sent to this channel in a short time.")
  }

  @Test("are refused for the first thing that is wrong")
  func order() throws {
    let bench = try ChannelBench()
    let id = try bench.newChannel()
    var sample = RequestSample.broadcast(nil).with("apns-push-type", nil)
      .with("apns-expiration", "soon").with("apns-priority", "7").with(body: "")
      .with("authorization", "bearer x")
    let mends: [(Reason, (RequestSample) -> RequestSample)] = [
      (.invalidProviderToken, { $0.with("authorization", nil) }),
      (.missingChannelID, { $0.with("apns-channel-id", Self.unknown) }),
      (.missingPushType, { $0.with("apns-push-type", "alert") }),
      (.invalidPushType, { $0.with("apns-push-type", "liveactivity") }),
      (.badExpirationDate, { $0.with("apns-expiration", "2000000") }),
      (.badPriority, { $0.with("apns-priority", "5") }),
      (.channelNotRegistered, { $0.with("apns-channel-id", id) }),
      (.badExpirationDate, { $0.with("apns-expiration", "0") }),
      (.payloadEmpty, { $0.with(body: Self.long) }),
      (.payloadTooLarge, { $0.with(body: "{}") }),
    ]
    for (reason, mend) in mends {
      #expect(try bench.send(sample).body == #"{"reason":"\#(reason)"}"#)
      sample = mend(sample)
    }
    #expect(try bench.send(sample).status == 200)
  }

  /// Reasons that the connection's credentials lead to.
  private static let credentials: [Reason] = [
    .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .topicMismatch,
    .tooManyProviderTokenUpdates,
  ]
  /// Reasons that no emulator has on a good day.
  static let scripted: [Reason] = [
    .featureNotEnabled, .tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown,
  ]

  @Test("have every reason of the table between them")
  func completeness() {
    let tested =
      (Self.broadcasts + Self.calls).map(\.reason) + Self.credentials + Self.scripted
      + [.cannotCreateChannel]
    let documented = Reason.table.filter { $0.scope != .device }.map(\.reason)
    #expect(Set(documented).subtracting(tested) == [])
  }

  @Test("have a reason of a script, where one says so", arguments: scripted)
  func scriptedReason(_ reason: Reason) throws {
    let text = """
      {rules: [{when: {request: "channel"}, answer: {reason: "\(reason)"}},
               {when: {request: "broadcast"}, answer: {reason: "\(reason)"}}]}
      """
    let script = try FaultScript(Array(text.utf8), file: "script")
    let bench = try ChannelBench { script.apply(to: &$0) }
    let channel = Channel(
      id: try ChannelID(Self.unknown), app: try BundleID(RequestSample.app), policy: .nothing,
      created: 0)
    bench.emulator.replaceChannels(by: [channel])
    for sample in [RequestSample.create(), .broadcast(Self.unknown)] {
      let answer = try bench.send(sample)
      #expect(answer.body == #"{"reason":"\#(reason)"}"#)
      #expect(answer.status == reason.info?.status.rawValue)
      #expect(answer.fields["apns-request-id"] == RequestSample.requestID)
    }
    #expect(bench.emulator.channels == [channel])
  }

  @Test("have the reasons of provider tokens")
  func tokens() throws {
    let bench = try ChannelBench()
    let id = try bench.newChannel()
    for sample in [RequestSample.create(), .broadcast(id), .manage("GET", "all-channels")] {
      let expired = try bench.key.bearer(issuedAt: 1_000_010 - 3601)
      let newer = try bench.key.bearer(issuedAt: 1_000_005)
      let other = try bench.key.bearer(keyID: "OTHERKEY00")
      for (token, reason) in [
        (expired, Reason.expiredProviderToken), (newer, .tooManyProviderTokenUpdates),
        (other, .unrelatedKeyID),
      ] {
        let answer = try bench.send(sample.with("authorization", token))
        #expect(answer.body == #"{"reason":"\#(reason)"}"#)
      }
    }
    #expect(bench.emulator.channels.count == 1)
  }
}

@Suite("Channels and client certificates", .needs("openssl"), .needs("curl"))
struct ChannelCertificateTests {
  /// A request with a certificate, and the reason it gets.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var extensions = [PushCertificate.sandbox, PushCertificate.topics]
    var path = "/4/broadcasts/apps/com.example.shop"
    var arguments: [String] = []
    var reason: Reason?
  }

  private static let channels = "/1/apps/com.example.shop/channels"

  static let cases = [
    Case(testDescription: "a push of the certificate's app"),
    Case(
      testDescription: "a push of another app", path: "/4/broadcasts/apps/com.example.mail",
      reason: .topicMismatch),
    Case(
      testDescription: "a certificate of the other environment",
      extensions: [PushCertificate.production], reason: .badCertificateEnvironment),
    Case(
      testDescription: "a certificate whose list is broken",
      extensions: ["1.2.840.113635.100.6.3.6=DER:30:05:0C:01"], reason: .badCertificate),
    Case(testDescription: "a new channel", path: channels, reason: .topicMismatch),
    Case(
      testDescription: "a deleted channel", path: channels, arguments: ["-X", "DELETE"],
      reason: .topicMismatch),
    Case(
      testDescription: "the list", path: "/1/apps/com.example.shop/all-channels",
      arguments: ["-X", "GET"], reason: .topicMismatch),
  ]

  @Test("may push to channels of their apps, and manage none", arguments: cases)
  func certificate(_ example: Case) throws {
    try withTemporaryFolder { folder in
      let recorded = Recorder()
      var configuration = EmulatorConfiguration()
      configuration.journal = .entries { recorded.append($0) }
      let emulator = try Emulator(configuration)
      let id = "AAAAAAAAAAAAAAAAAAAAAA=="
      emulator.replaceChannels(by: [
        Channel(
          id: try ChannelID(id), app: try BundleID("com.example.shop"), policy: .nothing, created: 0
        )
      ])
      let certificate = try PushCertificate(
        ClientCertificateTests.universal, example.extensions, in: folder)
      let answer = try curl(
        emulator, path: example.path, example.arguments, certificate: certificate,
        fields: [
          "apns-topic": nil, "apns-push-type": "liveactivity", "apns-channel-id": id,
          "apns-expiration": "0", "apns-priority": "10",
        ], in: folder)
      #expect(answer.reason == example.reason?.rawValue, "\(answer.errors)")
      #expect(answer.status == example.reason.map { $0.info?.status.rawValue ?? 0 } ?? 200)
      #expect(emulator.channels.count == 1)
      let isManaging = example.path.hasPrefix("/1/")
      #expect(!isManaging || recorded.entries.last?.note?.contains("not known") == true)
    }
  }
}
