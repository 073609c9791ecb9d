import APNS
import Foundation
import PushCore
import PushEmulator
import Synchronization
import TestSupport
import Testing

@testable import SendingSupport

extension FaultRow {
  /// The process, and the machine around it.
  static let processes = [
    FaultRow(
      58, "A proxy variable that was set by accident",
      "Obeys it, and NO_PROXY; --verbose tells which proxy is used",
      proxyVariable("obeyed", [:], isUsed: true),
      proxyVariable("not for this host", ["NO_PROXY": "127.0.0.1"], isUsed: false)),
    FaultRow(
      67, "SIGINT or SIGTERM in mid-run", "Waits for what is in flight; resume sends the rest",
      stopped(SIGINT, code: 130), stopped(SIGTERM, code: 143)),
    FaultRow(
      68, "kill -9, and resume", "Sends again what was claimed and has no result",
      .program(.atLeastOnce, "once") { bench in
        let killed = try bench.send(6000, "--connections", "1", atRequest: 1700)
        #expect(killed.exitCode == nil)
      },
      .program(.atLeastOnce, "and in the resumption too") { bench in
        let killed = try bench.send(6000, "--connections", "1", atRequest: 900)
        let again = try bench.resume(atRequest: 1500)
        #expect(killed.exitCode == nil && again.exitCode == nil)
      }),
    FaultRow(
      69, "Power is cut", "Each commit is synced (synchronous=FULL), so that it outlasts the cut",
      omitted: "a machine cannot cut its own power and look on; kill -9 proves all but the syncing"),
    FaultRow(
      80, "Nobody reads standard output any more, or the terminal is closed",
      "Goes on without printing; a closed terminal ends the process, and resume goes on",
      .program(.exactlyOnce, "a reader that leaves") { bench in
        try bench.send(3000, "--results", "-", shell: "exec > >(head -1 >head.txt)")
      },
      .program(.atLeastOnce, "SIGHUP") { bench in
        try bench.send(6000, "--connections", "1", signal: SIGHUP, atRequest: 900)
      }),
    FaultRow(
      81, "The machine sleeps for hours in mid-run",
      "Gives up the connections, makes a new provider token, sends again what was in doubt",
      .run(.atLeastOnce) { bench in
        let (time, clock, control) = (MovableTime(), bench.clock, bench.run.control)
        let exposure = bench.books.exposure
        bench.goodDay = { $0.now = { Double(time.now) } }
        try bench.serve(with: bench.goodDay) { attempt in
          guard attempt.push.number == 500 else { return nil }
          time.move(by: 7200)
          clock.skip(seconds: 7200)
          exposure.add(control.inFlight)
          return nil
        }
        bench.run.epochSeconds = { time.now }
        try bench.send(2500)
        #expect(bench.books.witness.providerTokens == 2)
      }),
    FaultRow(
      82, "The wall clock jumps", "Measures waits by the clock that never jumps",
      .run(.exactlyOnce) { bench in
        let time = MovableTime()
        try bench.serve { attempt in
          if attempt.push.number % 10 == 0 {
            time.move(by: attempt.push.number % 20 == 0 ? 50 : -50)
          }
          return nil
        }
        bench.run.epochSeconds = { time.now }
        try bench.send(1000)
        #expect(bench.books.witness.providerTokens == 1)
      }),
    FaultRow(
      83, "Few file descriptors", "Opens as many connections as there are descriptors for",
      descriptors(40), descriptors(80), descriptors(81), descriptors(90)),
  ]

  private static func descriptors(_ count: Int) -> FaultCase {
    .program(.exactlyOnce, "\(count)") { bench in
      try bench.send(3000, "--connections", "16", shell: "ulimit -n \(count)")
    }
  }

  private static func stopped(_ signal: Int32, code: Int32) -> FaultCase {
    .program(.exactlyOnce, "signal \(signal)") { bench in
      let result = try bench.send(3000, "--connections", "1", signal: signal, atRequest: 300)
      #expect(result.exitCode == code)
      try bench.resume()
    }
  }

  private static func proxyVariable(
    _ name: String, _ more: [String: String], isUsed: Bool
  ) -> FaultCase {
    .program(.exactlyOnce, name) { bench in
      let proxy = try TestProxy()
      let words = SendingSupport.credentials.joined(separator: " ")
      let result = try bench.send(
        to: 1...1, "--to \(tokenText(1)) --verbose --bundle-id com.example.shop \(words)",
        environment: ["HTTPS_PROXY": proxy.url].merging(more) { $1 })
      #expect((proxy.connectionCount > 0) == isUsed)
      #expect(result.errors.contains("proxy") && result.errors.contains("HTTPS_PROXY") == isUsed)
    }
  }
}
