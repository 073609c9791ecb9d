import APNS
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import Testing

extension FaultRow {
  /// Connections that end.
  static let connectionEnds = [
    FaultRow(
      1, "A TCP reset while answers are pending",
      "Sends what was in flight again, under the same apns-id, and counts it",
      dropped(.rst), oneOfFourAtDistance),
    FaultRow(
      2, "FIN without GOAWAY or a word from TLS",
      "As after a reset, without waiting for a time-out", dropped(.fin)),
    FaultRow(
      4, "GOAWAY that covers everything in flight",
      "Waits for the answers on the old connection and goes on over a new one",
      .run(.exactlyOnce) { bench in
        let server = try bench.serve(end(atRequest: 500, .init(lastStream: .exactly(.max))))
        try bench.send(2500)
        #expect(server.connectionCount == 2)
      }),
    FaultRow(
      5, "GOAWAY that covers a part of what is in flight",
      "Sends those above the last stream again freely, and only those",
      .run(.exactlyOnce) { bench in
        let server = try bench.serve(end(atRequest: 500, .init(lastStream: .half)))
        bench.run.connections = .fixed(2)
        let delivery = try bench.send(2500)
        #expect(server.connectionCount >= 2)
        #expect(delivery.results.contains { $0.attempts == 2 })
      }),
    FaultRow(
      6, "GOAWAY for the credentials, on the first push", "Stops at once and names the reason",
      unwelcome(.badCertificate), unwelcome(.badCertificateEnvironment)),
    FaultRow(
      7, "GOAWAY with Shutdown or IdleTimeout", "Goes on over a new connection at once",
      goodbye(.shutdown), goodbye(.idleTimeout)),
    FaultRow(
      9, "GOAWAY twice, first with the highest stream", "Lets the lower last stream decide",
      .run(.exactlyOnce) { bench in
        // Who takes the first stream for the last word waits for answers that never come.
        let end = ConnectionEnd(lastStream: .current, noticeMilliseconds: 100)
        let server = try bench.serve { attempt in
          guard attempt.push.connection == 1, attempt.push.number >= 500 else { return nil }
          return attempt.push.number == 500 ? .goAway(end, then: .accept) : .swallow
        }
        let delivery = try bench.send(2500)
        #expect(server.connectionCount == 2)
        #expect(delivery.results.contains { $0.attempts == 2 })
      }),
    FaultRow(
      10, "GOAWAY with ENHANCE_YOUR_CALM",
      "Waits a minute or more, and then opens half as many streams as before",
      .run(.exactlyOnce, "after hundreds of pushes") { bench in
        let calm = ConnectionEnd(lastStream: .current, errorCode: ResetCode.enhanceYourCalm)
        let most = Mutex<[Int: Int]>([:])
        try bench.serve { attempt in
          let (connection, open) = (attempt.push.connection, attempt.push.openStreams)
          most.withLock { $0[connection] = max($0[connection] ?? 0, open) }
          return attempt.push.number % 400 == 0 ? .goAway(calm, then: .accept) : nil
        }
        try bench.send(2000)
        #expect(most.withLock { most in most.allSatisfy { $1 <= 1000 >> ($0 - 1) } })
        #expect(bench.clock.pauses.allSatisfy { $0 >= 60_000 } && !bench.clock.pauses.isEmpty)
      },
      .run(.boundedEnd, "on each connection") { bench in
        let calm = ConnectionEnd(
          lastStream: .exactly(0), errorCode: ResetCode.enhanceYourCalm)
        let server = try bench.serve { _ in .goAway(calm, then: .accept) }
        bench.books.causes = ["GOAWAY with code 11"]
        try bench.send(500)
        #expect(server.connectionCount <= 3 && bench.clock.pauses.allSatisfy { $0 >= 60_000 })
      }),
  ]

  /// A connection that is dropped twice, the second time over a push that was processed.
  static func dropped(_ drop: Drop) -> FaultCase {
    .run(.atLeastOnce, drop.rawValue) { bench in
      // Who waits for a time-out waits longer than this test may take.
      bench.run.timeoutMilliseconds = 3_600_000
      let server = try bench.serve { attempt in
        switch attempt.push.number {
        case 400: .drop(drop)
        case 1200: .processed(then: .drop(drop))
        default: nil
        }
      }
      let delivery = try bench.send(2500)
      #expect(server.connectionCount > 1 && delivery.summary.resentInDoubt > 0)
    }
  }

  /// One of four connections that is reset, at a distance: no more than what it had in flight is in
  /// doubt.
  private static let oneOfFourAtDistance = FaultCase.run(.atLeastOnce, "one of four, at a distance")
  {
    bench in
    let streams = 100
    bench.run.connections = .fixed(4)
    bench.run.timeoutMilliseconds = 3_600_000
    let server = try bench.serve(with: {
      $0.maxConcurrentStreams = streams
      $0.distance = Distance(roundTripMilliseconds: 20)
    }) { attempt in
      let isLast = attempt.push.connection == 2 && attempt.push.stream == 101
      return isLast ? .processed(then: .drop(.rst)) : nil
    }
    let delivery = try bench.send(2500)
    #expect(server.connectionCount > 2 && 1...streams ~= delivery.summary.resentInDoubt)
  }

  /// A script that says goodbye once.
  static func end(
    atRequest number: Int, _ end: ConnectionEnd
  ) -> @Sendable (Attempt) -> EmulatorAnswer? {
    { $0.push.number == number ? .goAway(end, then: .accept) : nil }
  }

  private static func unwelcome(_ reason: Reason) -> FaultCase {
    .run(.nothingSent, reason.rawValue) { bench in
      let end = ConnectionEnd(lastStream: .exactly(0), reason: reason)
      let server = try bench.serve { _ in .goAway(end, then: .accept) }
      bench.run.connections = .fixed(2)
      bench.books.requestsAllowed = 1
      bench.books.causes = ["goodbye", reason.rawValue]
      try bench.send(500)
      #expect(server.connectionCount == 1)
    }
  }

  private static func goodbye(_ reason: Reason) -> FaultCase {
    .run(.exactlyOnce, reason.rawValue) { bench in
      let server = try bench.serve { attempt in
        guard [300, 900].contains(attempt.push.number) else { return nil }
        return .goAway(ConnectionEnd(reason: reason), then: .accept)
      }
      bench.run.connections = .fixed(2)
      try bench.send(2500)
      #expect(server.connectionCount >= 3 && bench.clock.pauses.isEmpty)
    }
  }
}
