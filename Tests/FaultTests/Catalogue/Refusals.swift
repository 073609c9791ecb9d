import APNS
import Delivery
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

extension FaultRow {
  /// Answers that are no 200.
  static let refusals = [
    FaultRow(
      35, "429 TooManyRequests for some device tokens",
      "Tries these again with growing gaps, while the others go on",
      .run(.exactlyOnce, "four times") { bench in
        let tries = Tries()
        try bench.serve { attempt in
          guard attempt.token % 50 == 0 else { return nil }
          tries.note(attempt.token)
          return attempt.attempt < 5 ? .reject(.tooManyRequests) : nil
        }
        bench.run.retryRules = .quick
        bench.run.retryRules.slowTokenGapMilliseconds = 20
        let delivery = try bench.send(500)
        #expect(delivery.results.count { $0.attempts == 5 } == 10)
        #expect(tries.haveGaps(atLeast: [20, 40, 80, 160]))
      },
      .run(.exactlyOnce, "for ever") { bench in
        try bench.serve { $0.token == 7 ? .reject(.tooManyRequests) : nil }
        bench.run.retryRules = .quick
        #expect(try bench.send(100)[.deferred] == 1)
        try bench.finish()
      }),
    FaultRow(
      36, "429 TooManyProviderTokenUpdates", "Keeps the provider token and defers the pushes",
      .run(.exactlyOnce) { bench in
        try bench.serve { $0.token % 100 == 3 ? .reject(.tooManyProviderTokenUpdates) : nil }
        #expect(try bench.send(1000)[.deferred] == 10)
        #expect(bench.books.witness.providerTokens == 1)
        try bench.finish()
      }),
    FaultRow(
      37, "The provider token expires in mid-run",
      "Makes one new provider token and sends again what was refused",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        let time = MovableTime()
        try bench.serve(with: { $0.now = { Double(time.now) } }) { attempt in
          if attempt.push.number == 500 { time.move(by: 3700) }
          return nil
        }
        bench.run.epochSeconds = { time.now }
        try bench.send(2500)
        #expect(bench.books.witness.providerTokens == 2)
      }),
    FaultRow(
      38, "403 InvalidProviderToken from the start", "Stops after three pushes",
      refused(.invalidProviderToken)),
    FaultRow(
      39, "403 InvalidProviderToken after a good start",
      "Stops after three pushes; what was refused is rejected, and resuming the run sends it again",
      .run(.boundedEnd) { bench in
        try bench.serve { $0.push.number > 500 ? .reject(.invalidProviderToken) : nil }
        bench.books.causes = ["breaker", "InvalidProviderToken"]
        let delivery = try bench.send(5000)
        #expect(delivery[.rejected] > 0 && delivery[.notAttempted] > 0)
      }),
    FaultRow(
      40, "A key of the other environment, or another key than the connection's",
      "Stops after three pushes; another key is tried on a new connection",
      refused(.badEnvironmentKeyID), refused(.badEnvironmentKey),
      .run(.exactlyOnce, "UnrelatedKeyIdInToken") { bench in
        let server = try bench.serve { $0.push.number == 300 ? .reject(.unrelatedKeyID) : nil }
        try bench.send(1000)
        #expect(server.connectionCount == 2)
      }),
    FaultRow(
      41, "A clock that is wrong",
      "Stops after three pushes, with APNs' reason and both clocks; a new provider token by the same"
        + " clock would be refused as well",
      wrongClock(by: -5400, .expiredProviderToken), wrongClock(by: 5400, .invalidProviderToken)),
    FaultRow(
      42, "503 ServiceUnavailable, for a while",
      "Defers for 15 minutes, or tries again in the run when allowed to",
      .run(.exactlyOnce, "deferred") { bench in
        try bench.serve {
          100..<400 ~= $0.push.number ? .reject(.serviceUnavailable) : nil
        }
        #expect(try bench.send(1000)[.deferred] == 300)
        try bench.finish()
      },
      .run(.exactlyOnce, "with --retries") { bench in
        try bench.serve { $0.attempt < 3 ? .reject(.serviceUnavailable) : nil }
        bench.run.retryRules = .quick
        bench.run.retryRules.retries = 2
        try bench.send(300)
      }),
    FaultRow(
      43, "503 Shutdown", "Defers the push and goes on over a new connection at once",
      .run(.exactlyOnce) { bench in
        let server = try bench.serve { $0.push.number == 200 ? .reject(.shutdown) : nil }
        #expect(try bench.send(2500)[.deferred] == 1)
        #expect(server.connectionCount == 2 && bench.clock.pauses.isEmpty)
        try bench.finish()
      }),
    FaultRow(
      44, "500 InternalServerError for one in a hundred", "As 503",
      .run(.exactlyOnce) { bench in
        try bench.serve { $0.token % 100 == 0 ? .reject(.internalServerError) : nil }
        #expect(try bench.send(1000)[.deferred] == 10)
        try bench.finish()
      }),
    FaultRow(
      47, "BadDeviceToken for everybody", "Stops when 90 % of the last 200 answers say so",
      .run(.boundedEnd) { bench in
        try bench.serve { _ in .reject(.badDeviceToken) }
        bench.books.causes = ["breaker", "BadDeviceToken"]
        bench.books.refusals = [400]
        #expect(try bench.send(5000)[.notAttempted] > 0)
      },
      nobodyDead(.badDeviceToken)),
    FaultRow(
      48, "A wrong topic, for everybody", "Stops after three pushes; nobody's token is called dead",
      refused(.topicDisallowed), refused(.badTopic), refused(.missingTopic),
      .run(.boundedEnd, "DeviceTokenNotForTopic") { bench in
        try bench.serve { _ in .reject(.deviceTokenNotForTopic) }
        bench.books.causes = ["breaker", "DeviceTokenNotForTopic"]
        bench.books.refusals = [400]
        #expect(try bench.send(5000)[.notAttempted] > 0)
      },
      nobodyDead(.deviceTokenNotForTopic), nobodyDead(.topicDisallowed)),
    FaultRow(
      50, "400 for the request as such", "Stops after three pushes and names the reason",
      refused(.duplicateHeaders), refused(.badMessageID), refused(.badPriority),
      .run(.exactlyOnce, "IdleTimeout") { bench in
        let server = try bench.serve { $0.push.number == 300 ? .reject(.idleTimeout) : nil }
        try bench.send(1000)
        #expect(server.connectionCount == 2)
      }),
    FaultRow(
      85, "Everybody is refused for another reason: 413, 429, 500, 503",
      "Stops when 95 % of the last 1,000 answers are refusals",
      everybody(.payloadTooLarge), everybody(.tooManyRequests),
      everybody(.tooManyProviderTokenUpdates), everybody(.internalServerError),
      everybody(.serviceUnavailable)),
    FaultRow(
      86, "An answer with Retry-After", "Sends nothing more until then, or for an hour at most",
      retryAfter("in seconds", { "120" }, 119_000...120_000),
      retryAfter(
        "as a date", { HTTPDate.text(seconds: RunClock.system.epochSeconds + 120) },
        117_000...120_000),
      retryAfter("in a year", { "31536000" }, 3_599_000...3_600_000),
      .run(.exactlyOnce, "for the only push") { bench in
        let body = CustomAnswer.Body.reason(.serviceUnavailable)
        try bench.serve { _ in
          .custom(.init(status: .unavailable, body: body, fields: [Field("retry-after", "120")]))
        }
        #expect(try bench.send(1)[.deferred] == 1)
        #expect(bench.clock.pauses.isEmpty)
        try bench.finish()
      }),
  ]

  /// Nobody is accepted, for a reason that blames neither the credentials nor the device tokens.
  private static func everybody(_ reason: Reason) -> FaultCase {
    .run(.boundedEnd, reason.rawValue) { bench in
      let server = try bench.serve { _ in .reject(reason) }
      bench.run.retryRules = .quick
      bench.books.causes = ["breaker", reason.rawValue]
      bench.books.refusals = [413]
      let delivery = try bench.send(5000)
      // Those in flight with the thousandth answer are answered too.
      #expect(1000...2100 ~= server.requestCount)
      #expect(delivery[.notAttempted] >= 2900)
    }
  }

  private static func retryAfter(
    _ name: String, _ value: @escaping @Sendable () -> String, _ pause: ClosedRange<Int>
  ) -> FaultCase {
    .run(.exactlyOnce, name) { bench in
      try bench.serve(with: { $0.maxConcurrentStreams = 10 }) { attempt in
        guard attempt.push.number == 100 else { return nil }
        let body = CustomAnswer.Body.reason(.serviceUnavailable)
        return .custom(
          .init(status: .unavailable, body: body, fields: [Field("retry-after", value())]))
      }
      bench.run.retryRules = .quick
      let delivery = try bench.send(1000)
      #expect(delivery[.deferred] == 1)
      #expect(pause.contains(Int(delivery.summary.pausedSeconds * 1000)))
      let pauses = bench.clock.pauses
      #expect(pauses.count == 1 && pauses.allSatisfy(pause.contains), "\(pauses)")
      try bench.finish()
    }
  }

  /// Each push is refused for the same reason.
  private static func refused(_ reason: Reason) -> FaultCase {
    .run(.nothingSent, reason.rawValue) { bench in
      let server = try bench.serve { _ in .reject(reason) }
      bench.run.connections = .fixed(4)
      bench.books.requestsAllowed = 3
      bench.books.causes = ["breaker", reason.rawValue]
      try bench.send(1000)
      #expect(server.connectionCount <= 3)
    }
  }

  /// The program, whose list of dead device tokens stays empty.
  private static func nobodyDead(_ reason: Reason) -> FaultCase {
    .program(.boundedEnd, "\(reason.rawValue), and --dead-tokens") { bench in
      bench.answer { _ in .reject(reason) }
      bench.books.causes = ["exit code 4", reason.rawValue]
      bench.books.refusals = [400]
      try bench.send(5000, "--dead-tokens", "dead.txt")
      #expect(try bench.fanfare.folder.text("dead.txt").isEmpty)
    }
  }

  private static func wrongClock(by seconds: Int64, _ reason: Reason) -> FaultCase {
    .run(.nothingSent, "\(seconds / 60) minutes", fault: .elsewhere) { bench in
      try bench.serve(with: { $0.sendsDate = true })
      bench.run.epochSeconds = { RunClock.system.epochSeconds + seconds }
      bench.run.clock.epochMilliseconds = { RunClock.system.epochMilliseconds() + seconds * 1000 }
      bench.books.requestsAllowed = 3
      bench.books.causes = ["breaker", reason.rawValue]
      let delivery = try bench.send(1000)
      #expect(delivery.results.allSatisfy { $0.attempts <= 1 }, "nothing is sent again")
      guard case .breaker(let response)? = delivery.report.stopCause else { return }
      let clocks = try #require(response.clocks)
      #expect(abs(clocks.here - (clocks.server ?? 0) - seconds) <= 60)
    }
  }
}

/// When each device token was tried.
private final class Tries: Sendable {
  private let moments = Mutex<[Int: [UInt64]]>([:])

  func note(_ token: Int) {
    let now = RunClock.system.monotonic()
    moments.withLock { $0[token, default: []].append(now) }
  }

  /// Whether so many milliseconds lie between a device token's tries.
  func haveGaps(atLeast milliseconds: [UInt64]) -> Bool {
    moments.withLock { moments in
      moments.values.allSatisfy { tries in
        zip(tries, tries.dropFirst()).map { ($1 - $0) / 1_000_000 }
          .elementsEqual(milliseconds, by: >=)
      }
    }
  }
}

extension RetryRules {
  /// Rules whose waits are a millisecond.
  static var quick: RetryRules {
    var rules = RetryRules(retryDelayMilliseconds: 1)
    rules.slowTokenGapMilliseconds = 1
    return rules
  }
}
