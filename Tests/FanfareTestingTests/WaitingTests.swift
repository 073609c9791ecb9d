import Fanfare
import FanfareTesting
import Foundation
import Testing

@Suite("Waiting for pushes", .timeLimit(.minutes(15)))
struct WaitingTests {
  @Test("The next push is the first that no call has returned, before or after it comes")
  func next() async throws {
    try await withAPNs { apns, client in
      _ = await client.send(try sample(), to: try device(1))
      async let sent = send(client, 2...4)
      #expect(try await apns.next().token == device(1))
      #expect(try await Set(apns.next(3).map(\.token)) == Set((2...4).map(device)))
      try await sent
    }
  }

  private func send(_ client: PushClient, _ numbers: ClosedRange<Int>) async throws {
    for number in numbers { _ = await client.send(try sample(), to: try device(number)) }
  }

  @Test("Every push goes to one of those who wait")
  func several() async throws {
    try await withAPNs { apns, client in
      let tokens = try await withThrowingTaskGroup(of: DeviceToken?.self) { group in
        for _ in 1...20 { group.addTask { try await apns.next().token } }
        try await send(client, 1...20)
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(try tokens == Set((1...20).map(device)))
    }
  }

  @Test("A push that fits is found among the earlier ones, and waited for")
  func fitting() async throws {
    try await withAPNs { apns, client in
      let wanted = try device(3)
      async let sent = send(client, 1...4)
      #expect(try await apns.first { $0.token == wanted }.token == wanted)
      try await sent
      #expect(try await apns.first { $0.token == wanted }.token == wanted)
    }
  }

  @Test("What does not come in time is an error that says what came")
  func timedOut() async throws {
    try await withAPNs { apns, client in
      try await send(client, 1...1)
      let short = Duration.milliseconds(10)
      await #expect { try await apns.next(2, within: short) } throws: {
        "\($0)" == "Waited \(short), but of 2 pushes, 1 came."
      }
      #expect(try await apns.next().token == device(1))
      await #expect { try await apns.next(within: short) } throws: {
        "\($0)" == "Waited \(short), but of 1 push, 0 came." && $0 is LocalAPNs.TimedOut
      }
      await #expect {
        try await apns.first(within: short) { $0.reason == .badTopic }
      } throws: {
        "\($0)" == "Waited \(short), but none of 1 received pushes fits."
      }
    }
  }

  @Test("What a reset forgot is not waited for, and no push is returned twice")
  func reset() async throws {
    try await withAPNs { apns, client in
      try await send(client, 1...3)
      #expect(try await apns.next().token == device(1))
      apns.reset()
      try await send(client, 4...6)
      #expect(try await apns.next(2).map(\.token) == [device(4), device(5)])
      #expect(try await apns.next().token == device(6))
    }
  }

  @Test("A task that is cancelled waits no longer")
  func cancelled() async throws {
    try await withAPNs { apns, _ in
      let waiting = Task { try await apns.next(within: .seconds(600)) }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test("Servers that are dropped leave no thread, no socket and no file")
  func dropped() async throws {
    func round() async throws -> String {
      let apns = try await LocalAPNs()
      let client = PushClient(credentials: apns.credentials, environment: apns.environment)
      #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
      await client.close()
      return apns.certificateAuthorityFile
    }
    var files: [String] = []
    for _ in 1...5 { files.append(try await round()) }
    // They end on threads of their own, soon after.
    let end = ContinuousClock.now + .seconds(60)
    while files.contains(where: exists), ContinuousClock.now < end { await Task.yield() }
    #expect(!files.contains(where: exists))
  }
}

/// A file is there.
func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
