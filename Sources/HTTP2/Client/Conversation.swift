/// A connection to a server for one request at a time; every wait has a time-out.
public final class Conversation {
  private let link: TLSConnection
  private let target: DialTarget
  private let clock: RunClock
  private let session: ClientSession?
  private let wake = Wake()
  private let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)

  /// Creates a conversation over a connection.
  ///
  /// - Parameter target: the target whose time-out limits each wait.
  public init(_ link: consuming TLSConnection, _ target: DialTarget, _ clock: RunClock) {
    self.link = link
    self.target = target
    self.clock = clock
    session = try? ClientSession()
  }

  deinit { incoming.deallocate() }

  /// Facts about the connection.
  public var facts: TLSConnectionFacts { link.facts }

  /// Waits for the server's SETTINGS.
  ///
  /// - Returns: the number of streams the server allows at once.
  public func streams() throws(ConversationEnd) -> Int {
    try talk { $0.peerConcurrency != nil }
    return session?.peerConcurrency ?? 0
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Throws: `ConversationEnd` if there is no answer; `exchange.end` tells if the server may have
  ///   processed the request.
  public func ask(_ exchange: Exchange) throws(ConversationEnd) {
    do throws(SessionError) {
      try session?.submit(exchange)
    } catch {
      throw end(of: error)
    }
    try talk { _ in exchange.end != nil }
    switch exchange.end {
    case .answered?: return
    case .inDoubt(let code?)?: throw goodbye ?? .reset(code)
    default: throw goodbye ?? .closed
    }
  }

  /// Sends GOAWAY, which the server may no longer read.
  public func close() {
    session?.close()
    _ = try? session?.send(over: link)
  }

  private func talk(until isDone: (ClientSession) -> Bool) throws(ConversationEnd) {
    guard let session, let wake else { throw .broken("out of memory or descriptors") }
    let end = clock.monotonic() + UInt64(target.timeoutMilliseconds) * 1_000_000
    while true {
      let isFull = try exchangeBytes(session)
      session.takeEnded { _ in }
      if isDone(session) { return }
      if session.isFinished { throw goodbye ?? .brokenProtocol }
      let now = clock.monotonic()
      guard now < end else { throw goodbye ?? .timedOut(target.timeoutMilliseconds) }
      let left = Int((end - now) / 1_000_000) + 1
      _ = link.wait(forRoom: isFull, wake: wake, milliseconds: left)
    }
  }

  /// Reads even if sending failed: the server's last words say more than the closed connection.
  private func exchangeBytes(_ session: ClientSession) throws(ConversationEnd) -> Bool {
    do {
      let isSent = try? session.send(over: link)
      try receive(session)
      return try isSent != true || !session.send(over: link)
    } catch {
      throw end(of: error)
    }
  }

  private func receive(_ session: ClientSession) throws {
    while case let count = try link.receive(into: incoming), count > 0 {
      try session.receive(UnsafeRawBufferPointer(rebasing: incoming[..<count]))
      // If that is due to a protocol violation, sending reveals it.
      if !session.acceptsRequests { _ = try session.send(over: link) }
    }
  }

  private var goodbye: ConversationEnd? {
    session?.goAway.map { .goAway($0) }
  }

  private func end(of error: any Error) -> ConversationEnd {
    switch error {
    case ChannelFailure.identityRefused(let alert): .identityRefused(alert)
    case _ where goodbye != nil: goodbye ?? .closed
    case ChannelFailure.broken(let text): .broken(text)
    case let error as SessionError where error.isBrokenProtocol: .brokenProtocol
    case let error as SessionError: .broken(error.name)
    default: .closed
    }
  }
}

/// The reason an open connection could not be used any further.
public enum ConversationEnd: Error, Sendable, Hashable {
  /// Nothing useful arrived within this many milliseconds.
  case timedOut(Int)
  /// The server closed the connection.
  case closed
  /// The server sent GOAWAY.
  case goAway(GoAway)
  /// The server reset the stream, with this code.
  case reset(UInt32)
  /// The server rejected the client certificate, or requires one.
  case identityRefused(TLSAlert)
  /// The received bytes are not valid HTTP/2.
  case brokenProtocol
  /// The connection broke; the text is libcurl's or nghttp2's.
  case broken(String)
}
