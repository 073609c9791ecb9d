import Foundation
import HTTP2
import PushEmulator
import Testing

/// An answer as a client sees it.
struct TestAnswer: Sendable {
  var end: Exchange.End?
  var status: Int
  var fields: [String: String]
  var body: String
}

/// A client that is as simple as can be: one link, one session.
final class TestClient {
  private let link: TLSConnection
  private let session: ClientSession
  private let wake: Wake
  private let authority: String
  // A forgotten emulator stops.
  private let emulator: Emulator
  /// How the link ended; nil while it is open.
  private(set) var closing: ChannelFailure?
  /// All that arrived.
  private var received: [UInt8] = []

  /// - Parameter port: where to connect to; nil is the emulator's first port.
  init(_ emulator: Emulator, port: UInt16? = nil) throws {
    let roots = try rootsFile(emulator)
    defer { remove(roots) }
    let target = DialTarget(host: "127.0.0.1", port: port ?? emulator.port, additionalRoots: roots)
    authority = target.authority
    self.emulator = emulator
    wake = try #require(Wake())
    session = try ClientSession()
    link = try Dialer.dial(target)
  }

  /// The stream limit that the emulator announced last.
  var concurrency: Int? { session.peerConcurrency }
  var isClosed: Bool { closing != nil }
  var goAway: GoAway? { session.goAway }
  var pingsAcknowledged: Int { session.pingsAcknowledged }
  /// The frames that arrived.
  var frames: [ReceivedFrame] { ReceivedFrame.all(in: received) }

  /// Opens a stream for a request; it is sent when the client runs.
  func begin(_ sample: RequestSample) throws -> Exchange {
    let exchange = Exchange(pathCapacity: 1024)
    try prepare(exchange, sample)
    try session.submit(exchange)
    return exchange
  }

  /// Asks for a sign of life when the client runs next.
  func ping() { session.ping() }

  /// Gives up on a request.
  func cancel(_ exchange: Exchange) { session.cancel(exchange) }

  /// Sends what there is to send, and looks at nothing.
  func flush() throws { while try !session.send(over: link) {} }

  /// Whether nothing arrives for some time, not even the end of the connection.
  func isQuiet(milliseconds: Int) -> Bool {
    link.wait(forRoom: false, wake: wake, milliseconds: milliseconds).isEmpty
  }

  /// Sends requests at once and waits until all have ended.
  func send(_ samples: [RequestSample]) throws -> [TestAnswer] {
    let exchanges = try samples.map(begin)
    try run { exchanges.allSatisfy { $0.end != nil } }
    return exchanges.map(TestAnswer.init)
  }

  func send(_ sample: RequestSample) throws -> TestAnswer {
    try #require(try send([sample]).first)
  }

  /// Moves bytes until something holds or the link is gone; gives up after ten silent seconds.
  func run(until isDone: () -> Bool) throws {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !isDone(), !isClosed {
      do {
        let sent = try session.send(over: link)
        let count = try buffer.withUnsafeMutableBytes { try link.receive(into: $0) }
        received += buffer[..<count]
        try buffer.withUnsafeBytes { try session.receive(.init(rebasing: $0[..<count])) }
        if count == 0, !isDone() {
          let ready = link.wait(forRoom: !sent, wake: wake, milliseconds: 10_000)
          try #require(!ready.isEmpty, "the emulator is silent")
        }
      } catch let failure as ChannelFailure {
        closing = failure
        session.abandon()
      }
    }
  }

  private func prepare(_ exchange: Exchange, _ sample: RequestSample) throws {
    let constant = sample.fields.map { Field($0.0, $0.1) }
    let head = RequestHead(
      method: sample.method, authority: authority, pathPrefix: sample.path, fields: constant,
      varying: "x-number")
    let fits = exchange.prepare(
      head, pathEnd: UnsafeBufferPointer(start: nil, count: 0), body: sample.body
    ) { room in
      room[0] = UInt8(ascii: "1")
      return 1
    }
    try #require(fits)
  }
}

extension TestAnswer {
  init(_ exchange: Exchange) {
    end = exchange.end
    status = exchange.status
    fields = Dictionary(exchange.headers.fields.map { ($0.name, $0.value) }) { first, _ in first }
    body = String(decoding: exchange.body, as: UTF8.self)
  }
}

/// A file with the emulator's authority; whoever makes it removes it.
func rootsFile(_ emulator: Emulator) throws -> String {
  let path = temporaryPath("pem")
  try emulator.certificateAuthorityPEM.write(toFile: path, atomically: true, encoding: .utf8)
  return path
}

func temporaryPath(_ kind: String) -> String {
  FileManager.default.temporaryDirectory
    .appendingPathComponent("fanfare-\(UUID().uuidString).\(kind)").path
}
