import HTTP2

/// A client session and a server session that talk through memory.
final class SessionPair {
  let client: ClientSession
  let server: ServerSession
  private let up = MemoryChannel()
  private let down = MemoryChannel()

  init(maxConcurrentStreams: Int? = nil) throws {
    client = try ClientSession()
    server = try ServerSession(maxConcurrentStreams: maxConcurrentStreams)
    try talk()
  }

  /// Carries bytes to and fro until nobody has anything to say.
  func talk() throws {
    var quiet = false
    while !quiet {
      _ = try client.send(over: up)
      let requests = up.takeAll()
      try requests.withUnsafeBytes { try server.receive($0) }
      _ = try server.send(over: down)
      let answers = down.takeAll()
      try answers.withUnsafeBytes { try client.receive($0) }
      quiet = requests.isEmpty && answers.isEmpty
    }
  }

  func request(_ tokens: String..., body: String = "{}") throws -> [Exchange] {
    let exchanges = tokens.map { prepared($0, body: body) }
    for exchange in exchanges { try client.submit(exchange) }
    try talk()
    return exchanges
  }

  /// The requests that have become complete since the last call.
  func takeRequests() -> [ServerRequest] {
    var requests: [ServerRequest] = []
    server.takeRequests { requests.append($0) }
    return requests
  }
}
