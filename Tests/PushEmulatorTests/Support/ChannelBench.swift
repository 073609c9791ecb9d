import APNS
import PushEmulator
import Testing

extension RequestSample {
  static let app = "com.example.shop"
  static let requestID = "123e4567-e89b-42d3-a456-426614174000"

  /// A request to manage the channels of an app.
  static func manage(
    _ method: String, _ path: String = "channels", app: String = app, channel: String? = nil,
    body: String = ""
  ) -> RequestSample {
    var sample = RequestSample().with(method: method).with(path: "/1/apps/\(app)/\(path)")
      .with(body: body)
    sample.fields =
      [("apns-request-id", requestID)] + (channel.map { [("apns-channel-id", $0)] } ?? [])
    return sample
  }

  /// A request to create a channel.
  static func create(
    _ body: String = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#,
    app: String = app
  ) -> RequestSample { manage("POST", app: app, body: body) }

  /// A push to a channel.
  static func broadcast(_ channel: String?, app: String = app) -> RequestSample {
    var sample = RequestSample().with(path: "/4/broadcasts/apps/" + app).with(
      body: #"{"aps":{"timestamp":1,"event":"update","content-state":{"score":1}}}"#)
    sample.fields = [
      ("apns-push-type", "liveactivity"), ("apns-expiration", "0"), ("apns-priority", "10"),
      ("apns-request-id", requestID),
    ]
    return sample.with("apns-channel-id", channel)
  }
}

/// An emulator whose channels are used, by one client.
final class ChannelBench {
  let key: TestKey
  let bearer: String
  let emulator: Emulator
  let client: TestClient
  private let recorded = Recorder()

  init(_ change: (inout EmulatorConfiguration) -> Void = { _ in }) throws {
    key = try TestKey()
    bearer = try key.bearer()
    var configuration = EmulatorConfiguration()
    configuration.now = { 1_000_010 }
    configuration.keeps = 1000
    configuration.journal = .entries { [recorded] in recorded.append($0) }
    change(&configuration)
    emulator = try Emulator(configuration)
    client = try TestClient(emulator)
  }

  /// The journal so far.
  var entries: [ReceivedPush] { recorded.entries }

  /// A sample with a good provider token, unless it has one.
  func signed(_ sample: RequestSample) -> RequestSample {
    sample.fields.contains { $0.0 == "authorization" }
      ? sample : sample.with("authorization", bearer)
  }

  func send(_ sample: RequestSample) throws -> TestAnswer { try client.send(signed(sample)) }

  /// The ID of a new channel.
  func newChannel(_ policy: StoragePolicy = .nothing, app: String = RequestSample.app) throws
    -> String
  {
    let body = #"{"message-storage-policy":\#(policy.rawValue),"push-type":"LiveActivity"}"#
    return try #require(send(.create(body, app: app)).fields["apns-channel-id"])
  }
}
