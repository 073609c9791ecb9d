internal import HTTP2
internal import Synchronization

/// The work of a connection's thread: moving bytes between the link and the connection.
struct ConnectionLoop {
  private static let bufferSize = 32_768
  /// The maximum number of buffers read before requests are answered.
  private static let readsPerTurn = 16
  private static let farewellMilliseconds = 1000
  private static let farewellReads = 256

  private let context: ConnectionContext
  private let buffer: UnsafeMutableRawBufferPointer

  /// Serves a client until either side ends the connection.
  static func serve(
    _ socket: consuming AcceptedSocket, number: Int, _ context: ConnectionContext
  ) {
    let configuration = context.behavior.configuration
    guard let wake = Wake() else { return socket.resetOnClose() }
    context.handshakes.enter(number, wake, most: max(64, configuration.connectionLimit / 2))
    if context.isStopped { return }
    let link = socket.handshake(
      context.tls, wake: wake, milliseconds: configuration.handshakeMilliseconds
    ) { tell(of: $0, number, configuration) }
    context.handshakes.leave(number)
    guard let link else { return }
    let authentication = ClientAuthentication(
      link.clientCertificate, context.behavior.configuration)
    let desk = OrderQueue(wake)
    guard let connection = try? ServerConnection(number, context, authentication, desk) else {
      return
    }
    context.orders.enter(number, desk)
    defer { context.orders.leave(number) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
    defer { buffer.deallocate() }
    let loop = ConnectionLoop(context: context, buffer: buffer)
    do {
      try loop.run(connection, over: link)
      loop.end(link, connection.drop ?? .closeNotify)
    } catch {
      connection.recordLast()
      if let error = error as? SessionError, error.isBadGreeting {
        tell(of: .otherProtocol, number, configuration)
      }
      // The client left or broke the protocol; a final GOAWAY may still be pending.
      _ = try? connection.send(over: link)
      if error is SessionError { loop.end(link, .closeNotify) }
    }
  }

  /// Tells of a client that speaks something else, unless the emulator does so too.
  private static func tell(
    of client: ForeignClient, _ number: Int, _ configuration: EmulatorConfiguration
  ) {
    if client == .otherProtocol, configuration.protocols != ["h2"] { return }
    configuration.notice(.foreignClient(client, connection: number))
  }

  private func run(_ connection: ServerConnection, over link: borrowing ServerTLSConnection) throws
  {
    while !context.isStopped {
      try read(link, into: connection)
      try connection.answerRequests()
      guard staysAlive(connection) else { return }
      let sent = try connection.send(over: link)
      if connection.drop != nil || connection.isFinished { return connection.recordLast() }
      guard staysAlive(connection), !context.isStopped else { return }
      _ = link.wait(
        forRoom: !sent, wake: connection.desk.wake, milliseconds: connection.millisecondsToWait)
    }
  }

  /// Does nothing while the connection is frozen; false if the emulator stopped meanwhile.
  private func staysAlive(_ connection: ServerConnection) -> Bool {
    guard let freeze = connection.takeFreeze() else { return true }
    context.stopSignal.wait(milliseconds: freeze.milliseconds, keepsCalls: true)
    return !context.isStopped
  }

  private func read(_ link: borrowing ServerTLSConnection, into connection: ServerConnection) throws
  {
    for _ in 0..<Self.readsPerTurn {
      let count = try link.receive(into: buffer)
      if count == 0 { return }
      try connection.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private func end(_ link: borrowing ServerTLSConnection, _ drop: Drop) {
    switch drop {
    case .rst: link.resetOnClose()
    case .fin:
      link.endSending()
      discard(link)
    case .closeNotify:
      link.sayGoodbye()
      link.endSending()
      discard(link)
    case .closeNotifyOnly:
      link.sayGoodbye()
      awaitEnd(link)
    }
  }

  /// Keeps reading until the client closes or the emulator stops.
  private func awaitEnd(_ link: borrowing ServerTLSConnection) {
    while !context.isStopped {
      let ready = link.wait(forRoom: false, wake: context.stopSignal, milliseconds: nil)
      guard ready == .readable, (try? link.receive(into: buffer)) != nil else { return }
    }
  }

  /// Closing a socket that holds unread bytes resets it, and a reset can destroy answers on their
  /// way to the client. So incoming bytes are read until the client closes, for a limited time.
  private func discard(_ link: borrowing ServerTLSConnection) {
    for _ in 0..<Self.farewellReads {
      let ready = link.wait(
        forRoom: false, wake: context.stopSignal, milliseconds: Self.farewellMilliseconds)
      guard ready == .readable, (try? link.receive(into: buffer)) != nil else { return }
    }
  }
}
