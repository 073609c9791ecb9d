import Fanfare
import FanfareTesting
import Foundation
import Orders
import Testing

/// What a package that sees only the public face finds there.
@Suite(.timeLimit(.minutes(1)))
struct OutsideTests {
  let apns: LocalAPNs
  let client: PushClient

  init() async throws {
    apns = try await LocalAPNs()
    client = PushClient(credentials: apns.credentials, environment: apns.environment)
  }

  private func token(_ number: Int) -> String {
    String(repeating: "0", count: 60) + String(number + 0x1000, radix: 16)
  }

  private func notification(_ app: String = "shop") throws -> PushNotification {
    try PushNotification(.alert(title: "Order 1042", body: "Ready"), bundleID: "com.example.\(app)")
  }

  @Test("One topic that is refused stops no other")
  func topics() async throws {
    apns.play(.refuse(.topicDisallowed).times(3))
    for number in 1...3 {
      #expect(try await client.send(notification("bad"), to: token(number)).outcome == .rejected)
    }
    let kept = try await client.send(notification("bad"), to: token(4))
    #expect(kept.outcome == .notAttempted && kept.obstacle?.kind == .refusals)
    #expect(try await client.send(notification(), to: token(5)).outcome == .accepted)
  }

  @Test("A deadline ends a push that is not answered, and any duration is one")
  func deadline() async throws {
    apns.play(.silence)
    let silent = try await client.send(notification(), to: token(1), deadline: .milliseconds(200))
    #expect(silent.outcome == .unknown && silent.obstacle?.kind == .deadline)
    var options = PushClient.Options()
    (options.timeout, options.connectTimeout) = (.seconds(Int64.max), .seconds(Int64.min))
    let other = PushClient(
      credentials: apns.credentials, environment: apns.environment, options: options)
    _ = try await other.send(notification(), to: token(2), deadline: .milliseconds(200))
  }

  @Test("A second iteration is an error")
  func iterations() async throws {
    let results = client.send(try notification(), to: [token(1), "none"])
    var outcomes: [Int: Outcome] = [:]
    for try await result in results { outcomes[result.position] = result.outcome }
    #expect(outcomes == [0: .accepted, 1: .skipped])
    await #expect(throws: SendResults.IterationError.self) { for try await _ in results {} }
  }

  @Test("A job waits in a queue, and its result leads back to its row")
  func jobs() async throws {
    struct Job: Codable {
      var notification: PushNotification
      var recipients: [Recipient]
    }
    let recipients = [Recipient(token(1), tag: "row 1"), Recipient(token(2), tag: "row 2")]
    let stored = try JSONEncoder().encode(
      Job(notification: try notification(), recipients: recipients))
    let job = try JSONDecoder().decode(Job.self, from: stored)
    var results: [SendResult] = []
    for try await result in client.send(job.notification, to: job.recipients) {
      results.append(result)
    }
    #expect(Set(results.compactMap(\.tag)) == ["row 1", "row 2"])
    let read = try JSONDecoder().decode([SendResult].self, from: JSONEncoder().encode(results))
    #expect(read == results)
  }

  @Test("A switch over an outcome has a case for those that come later")
  func outcomes() {
    func word(_ outcome: Outcome) -> String {
      switch outcome {
      case .accepted, .rejected, .skipped, .deferred, .unknown, .notAttempted: "known"
      @unknown default: "new"
      }
    }
    #expect(word(.accepted) == "known")
  }

  @Test("An app's own sender takes the place of the client, and tells what the test is about")
  func sender() async throws {
    let device = try DeviceToken(token(1))
    let dead = SendResult(.rejected, to: device, reason: .unregistered)
    let notifier = OrderNotifier(Answering(result: dead), bundleID: "com.example.shop")
    #expect(try await notifier.orderIsReady(1, for: device) == dead)
    #expect(try await notifier.orderIsReady(2, for: device) == nil)
  }
}

/// A sender that always has the same result.
private struct Answering: PushSending {
  let result: SendResult

  func send(
    _ notification: PushNotification, to token: DeviceToken, deadline: Duration?
  ) async -> SendResult { result }

  func broadcast(_ notification: PushNotification, deadline: Duration?) async -> SendResult {
    result
  }

  func send<Recipients: AsyncSequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([result]) }

  func send<Recipients: Sequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([result]) }

  func send<Recipients: AsyncSequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([result]) }

  func send<Recipients: Sequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible { SendResults([result]) }
}
