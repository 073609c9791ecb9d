internal import APNS
internal import HTTP2
internal import PushModel

/// The single pushes of one chunk while tasks still add to it.
struct Parcel: Sendable {
  private let message: PushMessage
  private let channel: String?
  private var tickets: [Ticket] = []
  private var columns = PushChunk.Columns()

  /// Creates a parcel with one push.
  init(_ push: SinglePush) {
    (message, channel) = (push.message, push.channel)
    add(push)
  }

  /// The number of pushes.
  var count: Int { tickets.count }

  /// The topic of all of them.
  var topic: String { message.topic }

  /// Checks whether a push may travel along: its headers are the same, and there is room.
  func takes(_ push: SinglePush) -> Bool {
    guard count < PushChunk.capacity, message.apnsID == nil, push.message.apnsID == nil else {
      return false
    }
    return message === push.message
      || message.fields == push.message.fields && message.path == push.message.path
  }

  mutating func add(_ push: SinglePush) {
    tickets.append(push.ticket)
    columns.add(push.ticket.token, at: 0)
    columns.add(payload: push.payload)
  }

  /// Ends the pushes: they are not sent.
  func giveUp(_ obstacle: Obstacle) {
    for ticket in tickets { ticket.giveUp(obstacle) }
  }

  /// Closes the parcel.
  ///
  /// - Parameters:
  ///   - sequence: the number of its first push.
  ///   - identity: the source of the apns-ids.
  ///   - breaker: the breaker of its topic.
  func chunk(
    at sequence: UInt64, _ identity: RunIdentity, _ clock: RunClock, _ breaker: CircuitBreaker?
  ) -> PushChunk {
    let tickets = TicketChunk(tickets, message, sequence, identity, clock, breaker)
    return PushChunk(
      firstSequence: sequence, list: "", channel: channel, message: message, sender: tickets,
      columns)
  }
}

extension PushChunk.Columns {
  /// The number of pushes.
  var count: Int { lines.count }

  /// - Parameter position: the recipient's place in its sequence.
  mutating func add(_ token: DeviceToken?, at position: Int) {
    if let token { tokens.append(contentsOf: token.hex.utf8) }
    tokenEnds.append(tokens.count)
    lines.append(position)
  }

  mutating func add(payload: [UInt8]) {
    payloads.append(contentsOf: payload)
    payloadEnds.append(payloads.count)
  }

  /// Adds the pushes of other columns.
  mutating func add(_ others: PushChunk.Columns) {
    lines += others.lines
    tokenEnds += others.tokenEnds.lazy.map { [count = tokens.count] in $0 + count }
    tokens += others.tokens
    payloadEnds += others.payloadEnds.lazy.map { [count = payloads.count] in $0 + count }
    payloads += others.payloads
  }

  /// Removes all pushes, but keeps the memory for others.
  mutating func removeAll() {
    lines.removeAll(keepingCapacity: true)
    tokenEnds.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    payloadEnds.removeAll(keepingCapacity: true)
    payloads.removeAll(keepingCapacity: true)
  }
}

/// A push that one task waits for.
struct SinglePush: Sendable {
  let ticket: Ticket
  let message: PushMessage
  let payload: [UInt8]
  let channel: String?

  /// - Parameter message: the notification as requests carry it.
  init(_ ticket: Ticket, _ notification: PushNotification, _ message: PushMessage) {
    (self.ticket, self.message) = (ticket, message)
    payload = notification.bytes
    channel = notification.channel?.text
  }
}
