internal import JSONText
internal import PushEmulator
internal import WebServer

/// Live events of the inbox as server-sent events (HTML Standard, section 9.2). A client that stops
/// reading costs no more than its position. It misses whatever is discarded before it reads again.
final class EventStream: BodyStream, @unchecked Sendable {
  private static let portion = 16

  private let received: ReceivedPushes
  private var position: ReceivedPushes.Position
  private let place: StreamPlace
  private var heartbeat = KeepAliveSchedule()
  /// The first event, until it is sent.
  private var greeting: [UInt8]?

  /// - Parameters:
  ///   - id: the last push the client knows; nil starts with the next one.
  ///   - hello: the data of the first event.
  init(_ received: ReceivedPushes, after id: Int?, hello: JSON, _ place: StreamPlace) {
    (self.received, self.place) = (received, place)
    let now = received.position
    // IDs restart with each emulator, so a client with a higher ID knew a different emulator.
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
    // The ID keeps a reconnecting client from receiving this event again.
    case .cleared(let id): Self.event("clear", id: id, empty)
    case .missed(let count): Self.event("missed", id: nil, Array("{\"count\":\(count)}".utf8))
    }
  }

  /// Formats an event. The data must be JSON on one line.
  private static func event(_ name: String, id: Int?, _ data: [UInt8]) -> [UInt8] {
    let head = "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: "
    return Array(head.utf8) + data + [0x0A, 0x0A]
  }
}
