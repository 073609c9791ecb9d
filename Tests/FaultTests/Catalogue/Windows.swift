import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import Testing

extension FaultRow {
  /// Limits on streams and windows, and streams that end oddly.
  static let windows = [
    FaultRow(
      3, "TLS's close_notify, while the TCP connection stays open",
      "Takes it for the end at once, without waiting for a time-out",
      dropped(.closeNotifyOnly), dropped(.closeNotify)),
    FaultRow(
      8, "GOAWAY, and the connection stays open",
      "Opens no more streams there, and leaves once its answers are in",
      .run(.exactlyOnce) { bench in
        bench.run.timeoutMilliseconds = 3_600_000
        let end = ConnectionEnd(lastStream: .current, staysOpen: true)
        let server = try bench.serve(with: { $0.maxConcurrentStreams = 50 }) {
          $0.push.number == 500 ? .goAway(end, then: .accept) : nil
        }
        try bench.send(2500)
        // What came after GOAWAY was on its way already.
        #expect(server.requestCount <= 2550 && server.connectionCount == 2)
      }),
    FaultRow(
      13, "RST_STREAM INTERNAL_ERROR or CANCEL for a push that was processed",
      "Sends it again under the same apns-id, and counts it",
      reset("INTERNAL_ERROR", ResetCode.internalError), reset("CANCEL", ResetCode.cancel)),
    FaultRow(
      14, "RST_STREAM after a whole answer", "Keeps the answer",
      .run(.exactlyOnce) { bench in
        let answer = CustomAnswer(aftermath: .reset(code: ResetCode.noError))
        try bench.serve { $0.token % 10 == 0 ? .custom(answer) : nil }
        try bench.send(1000)
      }),
    FaultRow(
      16, "A limit on streams that falls to 100 and to 1 in mid-run",
      "Opens no more streams than allowed, and loses none that are open",
      .run(.exactlyOnce) { bench in
        let mostOfHundred = Mutex(0)
        let most = Mutex(0)
        let server = try bench.serve { attempt in
          switch attempt.push.number {
          case 1000: return .announce(.init(maxConcurrentStreams: 100), then: .accept)
          case 3000: return .announce(.init(maxConcurrentStreams: 1), then: .accept)
          case 4500: return .announce(.init(maxConcurrentStreams: 1000), then: .accept)
          case 2100..<3000: mostOfHundred.withLock { $0 = max($0, attempt.push.openStreams) }
          case 4100..<4400: most.withLock { $0 = max($0, attempt.push.openStreams) }
          default: break
          }
          return nil
        }
        try bench.send(6000)
        // A thousand streams at most were open when the limit fell, and a hundred when it fell again.
        #expect(2...100 ~= mostOfHundred.withLock { $0 })
        #expect(most.withLock { $0 } == 1 && server.connectionCount == 1)
      }),
    FaultRow(
      17, "A limit of no streams", "Waits for a better one, then replaces the connection",
      forAWhile(.init(maxConcurrentStreams: 0), .init(maxConcurrentStreams: 1)),
      .run(.boundedEnd, "for ever", fault: .elsewhere) { bench in
        try bench.serve(with: {
          $0.settings = [.init(at: .start, .init(maxConcurrentStreams: 0))]
        })
        bench.run.timeoutMilliseconds = 100
        bench.books.causes = ["no answer in time"]
        try bench.send(300)
      }),
    FaultRow(
      18, "Windows that are shut", "Waits for room, then replaces the connection",
      forAWhile(.init(initialWindowSize: 0), .init(initialWindowSize: 65_535)),
      .run(.boundedEnd, "for ever", fault: .elsewhere) { bench in
        try bench.serve(with: {
          $0.settings = [.init(at: .start, .init(initialWindowSize: 0))]
        })
        bench.run.timeoutMilliseconds = 100
        try bench.send(300)
      },
      .run(.atLeastOnce, "never refilled", fault: .elsewhere) { bench in
        let server = try bench.serve(with: {
          $0.serverOptions.refillsWindows = false
          $0.maxConcurrentStreams = 100
        })
        bench.run.timeoutMilliseconds = 1000
        try bench.send(4000)
        #expect(server.connectionCount > 1)
      }),
    FaultRow(
      19, "The numbers of streams are used up", "Goes on over a new connection",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        let server = try bench.serve()
        // Five hundred streams before the last number, 2^31-1.
        bench.run.firstStream = .max - 998
        try bench.send(2200)
        #expect(server.connectionCount == 5 && bench.clock.pauses.isEmpty)
      }),
  ]

  private static func forAWhile(_ shut: Announcement, _ open: Announcement) -> FaultCase {
    .run(.exactlyOnce, "for a while", fault: .elsewhere) { bench in
      let start = RunClock.system.monotonic()
      let second = Atomic<UInt64>(0)
      try bench.serve(with: {
        $0.settings = [.init(at: .start, shut), .init(at: .start, after: 500, open)]
      }) { attempt in
        // The first may have left before it was told.
        if attempt.push.number == 2 {
          second.store(RunClock.system.monotonic() - start, ordering: .relaxed)
        }
        return nil
      }
      try bench.send(1000)
      #expect(second.load(ordering: .relaxed) > 500_000_000)
    }
  }

  private static func reset(_ name: String, _ code: UInt32) -> FaultCase {
    .run(.atLeastOnce, name) { bench in
      try bench.serve { attempt in
        guard attempt.token % 10 == 0, attempt.attempt == 1 else { return nil }
        return .processed(then: .reset(code: code))
      }
      let delivery = try bench.send(1000)
      #expect(delivery.summary.resentInDoubt == 100 && delivery[.accepted] == 1000)
    }
  }
}
