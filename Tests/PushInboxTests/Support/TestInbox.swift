import APNS
import JSONText
import SendingSupport
import Testing

@testable import PushEmulator
@testable import PushInbox
@testable import WebServer

/// An emulator with an inbox that tests fill by hand.
final class TestInbox {
  static let token = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"

  let emulator: Emulator
  let received: ReceivedPushes
  let inbox: Inbox
  let key: AccessKey

  /// - Parameters:
  ///   - limit: the most pushes that are kept.
  ///   - channels: the most channels of an app; nil for as many as usual.
  init(
    keeping limit: Int = 100, channels: Int? = nil,
    _ change: (inout InboxConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = EmulatorConfiguration()
    configuration.keeps = limit
    if let channels { configuration.channelLimit = channels }
    emulator = try Emulator(configuration)
    received = try #require(emulator.received)
    var settings = InboxConfiguration()
    settings.version = "1.2.3"
    change(&settings)
    key = settings.key
    inbox = try Inbox(of: emulator, settings)
  }

  deinit { inbox.stop() }

  /// Lets so many pushes come.
  ///
  /// - Parameters:
  ///   - size: the length of a text in each payload.
  ///   - others: further headers.
  func receive(
    _ count: Int = 1, size: Int = 5, topic: String = "com.example.shop",
    adding others: [DraftField] = []
  ) {
    let last = received.counts.received
    let fields = [DraftField(.topic, topic), DraftField(.pushType, "alert")] + others
    var draft = Draft()
    draft[.topic] = fields[0]
    draft[.pushType] = fields[1]
    let shape = RequestShape(
      method: "POST", fields: fields, draft: draft, authentication: .token, environment: .sandbox)
    for number in 1...max(1, count) where number <= count {
      var push = ReceivedPush(connection: 1, stream: 1, token: Self.token, status: 200)
      push.id = last + number
      push.request.head = ReceivedHead(shape)
      push.request.body = Array(
        #"{"aps":{"alert":"Hello"},"text":"\#(String(repeating: "x", count: size))"}"#.utf8)
      push.request.bodyCount = push.request.body.count
      var pushes = [push]
      received.take(&pushes)
    }
  }

  func connect() throws -> HTTPConnection { try HTTPConnection(port: inbox.port, key: key.text) }

  /// Asks on a connection of its own.
  func ask(
    _ method: String, _ path: String, _ headers: [String: String?] = [:],
    _ body: String = ""
  ) throws -> HTTPReply {
    let connection = try connect()
    connection.send(method, path, headers, body)
    return try #require(connection.reply())
  }

  /// The answer to a call of the API that reads.
  func call(_ path: String) throws -> HTTPReply { try call("GET", path) }

  /// The answer to a call of the API.
  func call(_ method: String, _ path: String, _ body: String = "") throws -> HTTPReply {
    try ask(method, "/api/v1/" + path, [:], body)
  }
}
