import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

/// A client of a test's server.
func client(
  of server: TestServer, _ options: PushClient.Options = .init(),
  events: @escaping @Sendable (PushClient.Event) -> Void = { _ in }
) throws -> PushClient {
  PushClient(
    credentials: .init(push: try TestRun.newKey()), environment: try environment(of: server),
    options: options, events: events)
}

func environment(of server: TestServer) throws -> PushClient.Environment {
  try .server(server.emulator.url, roots: server.target.additionalRoots)
}

/// A notification that breaks no rule.
func sample() throws -> PushNotification {
  try PushNotification(.alert(title: "Order 1042", body: "Ready"), bundleID: "com.example.shop")
}

func device(_ number: Int) throws -> DeviceToken { try DeviceToken(tokenText(number)) }

/// A switch that a server's thread turns on, and that tasks wait for.
final class Signal: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  func call() { continuation.finish() }

  func wait() async { for await _ in stream {} }
}

/// Device tokens without end, which counts how many were read and says when they are many.
struct EndlessTokens: AsyncSequence, Sendable {
  /// The number that is many.
  var many = 5000

  final class Count: Sendable {
    let value = Atomic(0)
  }

  let count = Count()
  let areMany = Signal()

  struct AsyncIterator: AsyncIteratorProtocol {
    let tokens: EndlessTokens

    func next() async throws -> DeviceToken? {
      let number = tokens.count.value.add(1, ordering: .relaxed).newValue
      if number == tokens.many { tokens.areMany.call() }
      return try device(number)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(tokens: self) }
}

/// Calls a signal when nobody holds it any more: no thread of a client whose events it is in.
final class Sentinel: Sendable {
  let isGone = Signal()

  deinit { isGone.call() }

  /// A client, and a signal for the end of all its threads and connections.
  static func client(
    in environment: PushClient.Environment, _ options: PushClient.Options = .init(),
    clock: RunClock = .system
  ) throws -> (PushClient, isGone: Signal) {
    let sentinel = Sentinel()
    let client = PushClient(
      .init(push: try TestRun.newKey()), environment, options, clock: clock
    ) { [sentinel] _ in _ = sentinel }
    return (client, sentinel.isGone)
  }
}

extension SendResults {
  /// All results, by the position of their recipients: each has one.
  func byPosition() async throws -> [Int: SendResult] {
    var results: [Int: SendResult] = [:]
    for try await result in self {
      #expect(results.updateValue(result, forKey: result.position) == nil)
    }
    return results
  }
}

/// The digits of device tokens from 1 on, and an action before each.
struct Numbers: Sequence, IteratorProtocol, Sendable {
  let count: Int
  let action: @Sendable (Int) -> Void
  private var number = 0

  init(count: Int, _ action: @escaping @Sendable (Int) -> Void) {
    (self.count, self.action) = (count, action)
  }

  mutating func next() -> String? {
    number += 1
    if number > count { return nil }
    action(number)
    return tokenText(number)
  }
}

extension PushContent {
  /// What the subscribers of a channel may get.
  static let score = PushContent(
    .liveactivity,
    ["aps": ["timestamp": 1_700_000_000, "event": "update", "content-state": ["score": 3]]])
}
