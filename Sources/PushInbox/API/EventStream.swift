internal import JSONText
internal import PushEmulator

/// Server-sent events (HTML Standard, section 9.2): what happens in the inbox, as it happens. A
/// client that does not read costs its position alone; what is gone when it reads again it has
/// missed.
final class EventStream: BodyStream, @unchecked Sendable {
  private static let portion = 16

  private let received: ReceivedPushes
  private var position: ReceivedPushes.Position
  private var heartbeat = Heartbeat()
  /// What comes first.
  private var greeting: [UInt8]?

  /// - Parameters:
  ///   - id: the last push that the client knows; nil begins with the next one.
  ///   - hello: the data of the first event.
  init(_ received: ReceivedPushes, after id: Int?, hello: JSON) {
    self.received = received
    let now = received.position
    // Numbers begin anew with each emulator: whoever knows a later push knows another emulator's.
    let isForeign = (id ?? 0) > now.id
    position = received.position(after: isForeign ? 0 : id ?? now.id)
    if isForeign { position.clears = -1 }
    greeting =
      Array("retry: 1000\n".utf8) + Self.event("hello", id: position.id, hello.encoded(.wire))
  }

  func next(now: Int64) -> BodyPiece {
    if let greeting {
      self.greeting = nil
      return .bytes(greeting)
    }
    let events = received.events(after: &position, limit: Self.portion)
    if !events.isEmpty { return .bytes(events.flatMap(Self.bytes)) }
    if heartbeat.isDue(now) { return .bytes(Array(": still here\n\n".utf8)) }
    return .nothing(until: heartbeat.next(now))
  }

  private static let empty = Array("{}".utf8)

  private static func bytes(_ event: ReceivedPushes.Event) -> [UInt8] {
    switch event {
    case .received(let push): Self.event("push", id: push.id, push.json)
    // Its ID keeps a client that connects again from hearing of it again.
    case .cleared(let id): Self.event("clear", id: id, empty)
    case .missed(let count): Self.event("missed", id: nil, Array("{\"count\":\(count)}".utf8))
    }
  }

  /// The data is JSON on one line.
  private static func event(_ name: String, id: Int?, _ data: [UInt8]) -> [UInt8] {
    let head = "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: "
    return Array(head.utf8) + data + [0x0A, 0x0A]
  }
}
