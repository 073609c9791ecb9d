import HTTP2
import TestSupport

/// A client session whose server is a test that writes each frame by hand.
final class ScriptedPeer {
  let client: ClientSession
  let channel = MemoryChannel()

  /// What the client has sent so far.
  private(set) var seen: [RawFrame] = []

  /// - Parameter acknowledges: whether the server acknowledges the client's SETTINGS.
  init(acknowledges: Bool = true) throws {
    client = try ClientSession()
    try say(.settings())
    if acknowledges { try say(.settingsAcknowledged) }
  }

  /// Lets the client send what it has and read what the server says, and send again.
  func say(_ frames: RawFrame...) throws {
    try listen()
    for frame in frames {
      try frame.bytes.withUnsafeBytes { try client.receive($0) }
    }
    try listen()
  }

  func listen() throws {
    defer { seen += RawFrame.frames(in: channel.takeAll()) }
    _ = try client.send(over: channel)
  }

  /// Submits requests for these device tokens and sends them.
  func request(_ tokens: String..., body: String = "{}") throws -> [Exchange] {
    let exchanges = tokens.map { prepared($0, body: body) }
    for exchange in exchanges { try client.submit(exchange) }
    try listen()
    return exchanges
  }

  /// The exchanges that ended since the last call.
  func takeEnded() -> [Exchange] {
    var ended: [Exchange] = []
    client.takeEnded { ended.append($0) }
    return ended
  }
}

let pushHead = RequestHead(
  authority: "api.example.com", pathPrefix: "/3/device/",
  fields: [Field("apns-topic", "com.example.shop")], varying: "apns-id")

/// An exchange that is ready to be submitted.
func prepared(_ token: String, body: String = "{}", id: String = "id") -> Exchange {
  let exchange = Exchange()
  _ = prepare(exchange, token, body: body, id: id)
  return exchange
}

func prepare(
  _ exchange: Exchange, _ token: String, body: String = "{}", id: String = "id"
) -> Bool {
  Array(token.utf8).withUnsafeBufferPointer { path in
    exchange.prepare(pushHead, pathEnd: path, body: Array(body.utf8)) { room in
      _ = room.update(fromContentsOf: Array(id.utf8))
      return id.utf8.count
    }
  }
}

extension Exchange {
  var bodyText: String { String(decoding: body, as: UTF8.self) }
}
