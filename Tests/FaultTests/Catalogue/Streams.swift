import APNS
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Testing

extension FaultRow {
  /// Streams that the server does not take, and how many it takes.
  static let streams = [
    FaultRow(
      11, "RST_STREAM REFUSED_STREAM for some", "Sends them again freely, on the same connection",
      .run(.exactlyOnce) { bench in
        let server = try bench.serve { attempt in
          attempt.token % 10 == 0 && attempt.attempt == 1
            ? .reset(code: ResetCode.refusedStream) : nil
        }
        try bench.send(1000)
        #expect(server.connectionCount == 1 && server.requestCount == 1100)
      }),
    FaultRow(
      12, "REFUSED_STREAM for ever", "Defers each push after three more tries",
      .run(.boundedEnd) { bench in
        let server = try bench.serve { _ in .reset(code: ResetCode.refusedStream) }
        let delivery = try bench.send(50)
        #expect(delivery[.deferred] == 50 && server.requestCount == 200)
      }),
    FaultRow(
      15, "One stream only, until the first good provider token",
      "Sends one push, and opens the window after its answer",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        let server = try bench.serve()
        bench.run.connections = .fixed(4)
        let delivery = try bench.send(3000)
        #expect(delivery.results.allSatisfy { $0.attempts == 1 })
        #expect(server.connectionCount <= 4 && server.requestCount == 3000)
      }),
    FaultRow(
      22, "The server takes few connections and closes the others",
      "Works with those it gets; the others try again with growing gaps",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        let server = try bench.serve(with: { $0.connectionLimit = 1 })
        bench.run.connections = .fixed(3)
        // The others have to try again and again while the one sends.
        bench.run.clock.wait = { wake, milliseconds in
          wake.wait(milliseconds: min(milliseconds, 20))
        }
        try bench.send(3000)
        #expect(server.refusedConnectionCount > 0)
      }),
  ]
}
