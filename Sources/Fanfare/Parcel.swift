internal import APNS
internal import PushModel

/// The pushes of one chunk while tasks still add to it.
struct Parcel: Sendable {
  /// The receiver of the results.
  enum Receiver: Sendable {
    /// Single pushes, each awaited by a task.
    case tickets([Ticket])
    /// Part of a list.
    case list(RecipientList)
  }

  let message: PushMessage
  private let channel: String?
  private var receiver: Receiver
  private var columns = PushChunk.Columns()

  /// Creates a parcel with one push of its own.
  init(_ push: SinglePush) {
    (message, channel) = (push.message, push.channel)
    receiver = .tickets([])
    add(push)
  }

  /// Creates an empty parcel for a list.
  init(_ list: RecipientList) {
    (message, channel, receiver) = (list.message, nil, .list(list))
  }

  /// The number of pushes.
  var count: Int { columns.lines.count }

  private var isFull: Bool { count == PushChunk.capacity }

  /// Waiting for more is pointless: it is full, or tasks wait for its pushes.
  var isReady: Bool {
    if case .tickets = receiver { true } else { isFull }
  }

  /// Checks whether a single push may travel along: its headers are the same.
  func takes(_ push: SinglePush) -> Bool {
    guard case .tickets = receiver, !isFull, push.message.apnsID == nil else { return false }
    return message.apnsID == nil && message.fields == push.message.fields
      && message.path == push.message.path
  }

  /// Checks whether it is the list's and has room.
  func takes(_ list: RecipientList) -> Bool { !isFull && belongs(to: list) }

  func belongs(to list: RecipientList) -> Bool {
    if case .list(let own) = receiver { own === list } else { false }
  }

  mutating func add(_ push: SinglePush) {
    guard case .tickets(var tickets) = receiver else { return }
    receiver = .tickets([])
    tickets.append(push.ticket)
    receiver = .tickets(tickets)
    columns.payloads.append(contentsOf: push.payload)
    columns.payloadEnds.append(columns.payloads.count)
    add(push.ticket.token, at: 0)
  }

  /// - Parameter position: the recipient's place in its sequence.
  mutating func add(_ token: DeviceToken?, at position: Int) {
    if let token { columns.tokens.append(contentsOf: token.hex.utf8) }
    columns.tokenEnds.append(columns.tokens.count)
    columns.lines.append(position)
  }

  /// Closes the parcel.
  ///
  /// - Parameters:
  ///   - sequence: the number of its first push.
  ///   - identity: the source of the apns-ids.
  func chunk(at sequence: UInt64, _ identity: RunIdentity) -> PushChunk {
    let parts: any ChunkReceiver =
      switch receiver {
      case .tickets(let tickets): TicketChunk(tickets, message, sequence, identity)
      case .list(let list): ListPart(list, count: count)
      }
    return PushChunk(
      firstSequence: sequence, list: "", channel: channel, message: message, sender: parts, columns)
  }
}

/// A push that one task waits for.
struct SinglePush: Sendable {
  let ticket: Ticket
  let message: PushMessage
  let payload: [UInt8]
  let channel: String?

  init(_ notification: Notification, to token: DeviceToken?) {
    ticket = Ticket(token)
    message = notification.message(isList: false)
    payload = notification.payload.bytes
    channel = notification.channel?.text
  }
}

/// The receiver of the results of a chunk's pushes.
protocol ChunkReceiver: PushSender {
  /// Takes the results of some of the pushes. Those that the receiver already knows are ignored.
  func take(_ results: ArraySlice<PushResult>, _ identity: RunIdentity, _ obstacle: Obstacle?)
}

extension PushChunk {
  /// Ends all pushes that have no result: they were not sent.
  func giveUp(_ identity: RunIdentity, _ obstacle: Obstacle) {
    let results = pushes.map { PushResult(unsent: $0, .notAttempted) }
    (sender as? any ChunkReceiver)?.take(results[...], identity, obstacle)
  }
}

extension PushResult {
  /// Creates the result of a push without an answer.
  init(unsent push: Push, _ outcome: Outcome) {
    self.init(
      push: push, outcome: outcome, response: nil, attempts: outcome == .unknown ? 1 : 0,
      wasResentInDoubt: false, latencyMicroseconds: nil, answeredAt: nil)
  }
}
