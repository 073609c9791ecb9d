import APNS
import Foundation
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

/// Numbers of a caller's: none of them ends the process.
@Suite("Extreme numbers", .timeLimit(.minutes(15)))
struct NumberTests {
  private static let durations: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1), .seconds(-1),
  ]

  @Test("Options of any size send, or give up, and do not trap", arguments: durations)
  func options(_ duration: Duration) async throws {
    let server = try TestServer { $0.attempt == 1 ? .reject(.serviceUnavailable) : nil }
    for change: @Sendable (inout PushClient.Options) -> Void in [
      { $0.timeout = duration }, { $0.connectTimeout = duration }, { $0.retryDelay = duration },
    ] {
      var options = PushClient.Options()
      options.retries = 1
      change(&options)
      let client = try client(of: server, options)
      let (notification, token) = (try sample(), try device(1))
      let push = Task { await client.send(notification, to: token, deadline: .milliseconds(500)) }
      #expect(await push.value.outcome != .rejected)
      await Task { await client.close() }.cancelledValue
    }
  }

  @Test("Counts of any size", arguments: [Int.min, -1, 0, 1, 65, .max])
  func counts(_ count: Int) async throws {
    let server = try TestServer()
    var options = PushClient.Options()
    (options.connections, options.retries) = (.fixed(count), count)
    options.rate = PushRate(count, per: .seconds(Int64.max)) ?? PushRate(1000, per: .seconds(1))
    let client = try client(of: server, options)
    #expect(
      try await client.send(sample(), to: device(1), deadline: .seconds(60)).outcome == .accepted)
    await Task { await client.close() }.cancelledValue
    #expect(PushRate(count, per: .zero) == nil && PushRate(count, per: .seconds(-1)) == nil)
    _ = try? PushNotification(.alert(badge: count), bundleID: "com.example.shop")
  }

  @Test("Deadlines of any size", arguments: durations)
  func deadlines(_ duration: Duration) async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let result = try await client.send(sample(), to: device(1), deadline: duration)
    if duration > .seconds(1) {
      #expect(result.outcome == .accepted)
    } else if result.outcome != .accepted {
      #expect(result.obstacle?.kind == .deadline)
    }
    await client.close()
  }

  @Test("Times of any size, and none at all")
  func times() throws {
    for seconds in [-Double.infinity, -1e300, 0, 1e300, .infinity, .nan] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(Expiration.at(date).seconds > 0)
      _ = try PushContent.liveActivity(
        .update, state: ["minutes": 3], at: date, staleAt: date, dismissAt: date,
        relevanceScore: seconds)
      _ = SendResult(.rejected, reason: .unregistered, deadSince: date).deadSince
    }
    #expect(Expiration.after(.seconds(Int64.max)).seconds == .max)
    #expect(Expiration.after(.seconds(Int64.min)).seconds > 0)
    _ = SendResult(.accepted, latency: .seconds(Int64.max))
  }
}

extension Task where Success == Void, Failure == Never {
  /// Waits for the task, which is cancelled.
  fileprivate var cancelledValue: Void {
    get async {
      cancel()
      await value
    }
  }
}
