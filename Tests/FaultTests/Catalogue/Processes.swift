import APNS
import Foundation
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

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
      68, "kill -9, and resume",
      "Sends again at most the pushes whose answer was not yet read, and so never more than "
        + "connections × streams: answers are noted beside the history before their streams are used "
        + "again",
      .program(.atLeastOnce, "once", fault: .elsewhere) { bench in
        let killed = try bench.send(6000, "--connections", "1", atRequest: 1700)
        #expect(killed.exitCode == nil)
      },
      .program(.atLeastOnce, "and in the resumption too", fault: .elsewhere) { bench in
        let killed = try bench.send(6000, "--connections", "1", atRequest: 900)
        let again = try bench.resume(atRequest: 1500)
        #expect(killed.exitCode == nil && again.exitCode == nil)
      },
      .program(.atLeastOnce, "at a low rate", fault: .elsewhere) { bench in
        try bench.send(300, "--connections", "1", "--rate", "200/s", atRequest: 100)
        try bench.resume()
        // Not all that was claimed ahead is called in doubt.
        let doubtful = try bench.books.last.figures?.resentInDoubt ?? 0
        #expect(1...100 ~= doubtful)
      }),
    FaultRow(
      69, "Power is cut", "Each commit is synced (synchronous=FULL), so that it outlasts the cut",
      omitted: "a machine cannot cut its own power and look on; kill -9 proves all but the syncing"),
    FaultRow(
      80, "Nobody reads standard output any more, or the terminal is closed",
      "Sends everything, and ends with 1 if results were to go there; a closed terminal ends the "
        + "process, and resume goes on",
      .program(.exactlyOnce, "a reader that leaves", fault: .elsewhere) { bench in
        let result = try bench.send(
          3000, "--results", "-", shell: "exec > >(head -1 >head.txt)")
        #expect(result.exitCode == 1)
      },
      .program(.atLeastOnce, "SIGHUP", fault: .elsewhere) { bench in
        // Whoever starts the tests with nohup has them and their programs ignore it.
        let before = signal(SIGHUP, SIG_DFL)
        defer { signal(SIGHUP, before) }
        let ended = try bench.send(
          6000, "--connections", "1", signal: SIGHUP, atRequest: 900)
        #expect(ended.exitCode == nil)
      }),
    FaultRow(
      105, "Somebody has the results open and does not read them",
      "Waits for the reader; Ctrl-C gives the rest up after five seconds, and the history has it",
      .program(.exactlyOnce, fault: .elsewhere) { bench in
        let pipe = try SilentPipe([], name: "results.jsonl")
        let ended = try bench.send(
          6000, "--connections", "1", "--results", pipe.path, signal: SIGINT, atRequest: 50)
        #expect(ended.exitCode == 130)
        try bench.resume()
      }),
    FaultRow(
      81, "The machine sleeps for hours in mid-run",
      "Gives up the connections, makes a new provider token, sends again what was in doubt",
      .program(.atLeastOnce, "the program", fault: .elsewhere) { bench in
        let (time, exposure) = (MovableTime(), bench.books.exposure)
        let machine = try SleepingMachine(in: bench.fanfare.folder)
        try bench.serve { $0.now = { Double(time.now) } }
        bench.answer { attempt in
          guard attempt.push.number == 500 else { return nil }
          time.move(by: SleepingMachine.seconds)
          machine.sleep()
          exposure.add(Window.cap)
          return .processed(then: .swallow)
        }
        // By a clock that stood still meanwhile it would wait for its answer longer than it may run.
        let result = try bench.send(
          2500, "--connections", "1", "--timeout", "1000", shell: machine.shell)
        #expect(result.exitCode == 0 && bench.books.witness.providerTokens == 2)
      },
      .run(.atLeastOnce, "in the process", fault: .elsewhere) { bench in
        let (time, clock, control) = (MovableTime(), bench.clock, bench.run.control)
        let exposure = bench.books.exposure
        bench.goodDay = { $0.now = { Double(time.now) } }
        try bench.serve(with: bench.goodDay) { attempt in
          guard attempt.push.number == 500 else { return nil }
          time.move(by: 7200)
          clock.skip(seconds: 7200)
          exposure.add(control.inFlight)
          // One at least is without an answer when the machine goes to sleep.
          return .processed(then: .swallow)
        }
        bench.run.epochSeconds = { time.now }
        try bench.send(2500)
        #expect(bench.books.witness.providerTokens == 2)
      }),
    FaultRow(
      103, "A process with little memory", "Says which limit to raise, before anything is sent",
      .program(.nothingSent, "stack", fault: .elsewhere) { bench in
        bench.books.causes = ["exit code 2", "The stack of this process is limited to 64 KiB"]
        try bench.send(10, shell: "ulimit -s 64")
      },
      .program(.nothingSent, "memory", fault: .elsewhere) { bench in
        bench.books.causes = ["exit code 2", "The memory of this process is limited to 195 MiB"]
        try bench.send(10, shell: "ulimit -v 200000")
      }),
    FaultRow(
      82, "The wall clock jumps", "Measures waits by the clock that never jumps",
      .run(.exactlyOnce, "to and fro", fault: .elsewhere) { bench in
        let time = MovableTime()
        let jumps = Atomic(0)
        try bench.serve(with: { $0.now = { Double(time.now) } }) { attempt in
          guard attempt.push.number % 10 == 0 else { return nil }
          // 20 minutes to and fro: more than the time-out.
          time.move(by: attempt.push.number % 20 == 0 ? -1200 : 1200)
          jumps.add(1, ordering: .relaxed)
          return nil
        }
        bench.run.epochSeconds = { time.now }
        bench.run.clock.epochMilliseconds = { time.now * 1000 }
        let delivery = try bench.send(1000)
        #expect(jumps.load(ordering: .relaxed) == 100 && delivery[.accepted] == 1000)
        #expect(delivery.results.allSatisfy { $0.attempts == 1 } && bench.clock.pauses.isEmpty)
        #expect(bench.books.witness.providerTokens == 1)
      },
      .run(.atLeastOnce, "set back an hour") { bench in
        let (time, path) = (MovableTime(), bench.books.history)
        let committed = Atomic(0)
        bench.run.timeoutMilliseconds = 1000
        bench.run.clock.epochMilliseconds = { time.now * 1000 }
        try bench.serve { attempt in
          if attempt.push.number == 100 { time.move(by: -3600) }
          guard attempt.token == 7 else { return nil }
          if attempt.attempt == 1 { return .processed(then: .swallow) }
          let rows = try? SQLiteFile(path).texts("SELECT count(*) FROM pushes")
          committed.store(rows?.first.flatMap { Int($0) } ?? 0, ordering: .relaxed)
          return nil
        }
        try bench.send(300)
        // While one push waited for its time-out, the results of the others were committed.
        #expect(committed.load(ordering: .relaxed) == 299)
      }),
    FaultRow(
      83, "Few file descriptors", "Opens as many connections as there are descriptors for",
      descriptors(40), descriptors(80), descriptors(81), descriptors(90)),
    FaultRow(
      97, "A system on which a program does not find its arguments, such as a folder without /proc",
      "Takes them from the loader, so that no command does something else",
      .program(.exactlyOnce, fault: .elsewhere) { bench in
        // Where nobody may hide /proc, it is there.
        let hide = "unshare -rm true 2>/dev/null && exec unshare -rm sh -c "
        let result = try bench.send(
          300, shell: hide + #"'mount -t tmpfs none /proc; exec "$0" "$@"' "$0" "$@""#)
        #expect(result.exitCode == 0)
      }),
  ]

  private static func descriptors(_ count: Int) -> FaultCase {
    .program(.exactlyOnce, "\(count)", fault: .elsewhere) { bench in
      let most = Mutex(0)
      try bench.serve { $0.maxConcurrentStreams = 50 }
      let emulator = bench.server.emulator
      // So slow that every connection that can be opened is.
      bench.answer { _ in
        most.withLock { $0 = max($0, emulator.openConnectionCount) }
        return .delay(milliseconds: 20, then: .accept)
      }
      try bench.send(6000, "--connections", "16", shell: "ulimit -n \(count)")
      #expect(1...15 ~= most.withLock { $0 })
    }
  }

  private static func stopped(_ signal: Int32, code: Int32) -> FaultCase {
    .program(.exactlyOnce, "signal \(signal)", fault: .elsewhere) { bench in
      let result = try bench.send(3000, "--connections", "1", signal: signal, atRequest: 300)
      #expect(result.exitCode == code)
      try bench.resume()
    }
  }

  private static func proxyVariable(
    _ name: String, _ more: [String: String], isUsed: Bool
  ) -> FaultCase {
    .program(.exactlyOnce, name, fault: .elsewhere) { bench in
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
