import APNS
import Delivery
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("Events of a client", .timeLimit(.minutes(15)))
struct ClientEventTests {
  /// Keeps the events in words.
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ event: PushClient.Event) {
      let line =
        switch event {
        case .connectionOpened: "opened"
        case .connectionClosed(let reason): "closed \(reason ?? "")"
        case .providerTokenReplaced: "replaced"
        case .resent(let token, let status, let reason):
          "resent \(token?.number ?? 0) \(status?.rawValue ?? 0) \(reason?.rawValue ?? "")"
        case .stopped(let obstacle, let topic): "stopped \(obstacle.kind) \(topic ?? "")"
        case .ended(let ended): "ended \(ended.result.outcome)"
        case .dropped(let count): "dropped \(count)"
        }
      lines.withLock { $0.append(line) }
    }
  }

  /// The events of some pushes to the same device, and of the end of their client.
  private func events(
    of count: Int = 1, _ answer: @escaping @Sendable (Attempt) -> EmulatorAnswer?
  ) async throws -> [String] {
    let (log, server) = (Log(), try TestServer(answer: answer))
    var options = PushClient.Options()
    (options.retries, options.retryDelay) = (1, .milliseconds(1))
    let client = PushClient(
      .init(push: try TestRun.newKey()), try environment(of: server), options,
      clock: TestClock().clock, events: log.add)
    for _ in 0..<count { _ = await client.send(try sample(), to: try device(7)) }
    await client.close()
    return log.all
  }

  @Test("A connection opens and closes; closing the client is no stop")
  func connection() async throws {
    #expect(try await events { _ in nil } == ["opened", "ended accepted", "closed "])
  }

  @Test("A resend comes with the device, and with the status and the reason if there were any")
  func resent() async throws {
    let later = try await events { $0.attempt == 1 ? .reject(.serviceUnavailable) : nil }
    #expect(later.contains("resent 7 503 ServiceUnavailable"))
    let bare = try await events {
      $0.attempt == 1 ? .custom(CustomAnswer(status: .unavailable)) : nil
    }
    #expect(bare.contains("resent 7 503 "))
    #expect(try await events { $0.attempt == 1 ? .reset(code: 2) : nil }.contains("resent 7 0 "))
  }

  @Test("The end of a connection comes with the reason of its GOAWAY")
  func goodbye() async throws {
    let events = try await events {
      $0.attempt == 1 ? .goAway(ConnectionEnd(reason: .shutdown), then: .accept) : nil
    }
    #expect(events.contains { $0.hasPrefix("closed ") && $0.contains("Shutdown") })
  }

  @Test("A stop tells whether the credentials were refused, or the pushes")
  func stopped() async throws {
    for (reason, kind) in [(Reason.invalidProviderToken, "credentials"), (.badTopic, "refusals")] {
      let events = try await events(of: 3) { _ in .reject(reason) }
      #expect(events.contains("stopped \(kind) com.example.shop"))
    }
  }
}
