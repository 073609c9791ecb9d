import APNS
import Foundation
import HTTP2
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import Synchronization
import TestSupport
import Testing

extension FaultRow {
  /// Servers that are slow, late or silent.
  static let silence = [
    FaultRow(
      20, "A connection that neither answers nor acknowledges, and does not end",
      "Resets the streams after the time-out; when a PING is not answered either, gives the "
        + "connection up and sends again what was on it",
      .run(.atLeastOnce) { bench in
        bench.run.timeoutMilliseconds = 1000
        let server = try bench.serve(with: { $0.maxConcurrentStreams = 100 }) {
          $0.push.number == 500 ? .freeze(milliseconds: nil, then: .swallow) : nil
        }
        try bench.send(2500)
        #expect(server.connectionCount >= 2)
      }),
    FaultRow(
      21, "A connection that was idle for an hour and is forgotten on the way",
      "Asks with a PING before the next push, and dials again when nobody answers",
      idle("alive"), idle("forgotten", isForgotten: true),
      idle("alive, and deaf to PING", answersPing: false)),
    FaultRow(
      26, "Answers that take long", "Waits, and opens no more streams than allowed",
      .run(.exactlyOnce) { bench in
        let limit = 200
        let most = Mutex(0)
        try bench.serve(with: { $0.maxConcurrentStreams = limit }) { attempt in
          most.withLock { $0 = max($0, attempt.push.openStreams) }
          return .delay(milliseconds: 60, then: .accept)
        }
        try bench.send(2500)
        #expect(limit / 2...limit ~= most.withLock { $0 })
      }),
    FaultRow(
      27, "Some pushes are never answered",
      "Each costs itself alone: its stream is reset after the time-out, and it is sent again; its "
        + "connection and all others go on",
      .run(.atLeastOnce, "and not processed") { bench in
        bench.run.timeoutMilliseconds = 1000
        let server = try bench.serve(with: { $0.maxConcurrentStreams = 100 }) {
          $0.token % 100 == 0 && $0.attempt == 1 ? .swallow : nil
        }
        let delivery = try bench.send(1000)
        #expect(delivery[.accepted] == 1000 && delivery.summary.resentInDoubt == 10)
        #expect(server.connectionCount == 1)
      },
      .run(.atLeastOnce, "though they were processed") { bench in
        bench.run.timeoutMilliseconds = 1000
        try bench.serve(with: { $0.maxConcurrentStreams = 100 }) {
          $0.token % 100 == 0 && $0.attempt == 1 ? .processed(then: .swallow) : nil
        }
        let delivery = try bench.send(1000)
        #expect(delivery[.accepted] == 1000 && delivery.summary.resentInDoubt == 10)
      }),
    FaultRow(
      28, "An answer that comes after the time-out",
      "Has sent the push again by then; its last answer counts, once",
      .run(.atLeastOnce) { bench in
        bench.run.timeoutMilliseconds = 800
        try bench.serve(with: { $0.maxConcurrentStreams = 100 }) {
          $0.token % 100 == 0 && $0.attempt == 1
            ? .delay(milliseconds: 1200, then: .accept) : nil
        }
        let delivery = try bench.send(1000)
        #expect(delivery[.accepted] == 1000 && delivery.summary.resentInDoubt > 0)
      }),
    FaultRow(
      29, "A body that stops half way", "Lets the status decide after the time-out",
      .run(.exactlyOnce) { bench in
        bench.run.timeoutMilliseconds = 1000
        var answer = CustomAnswer.refusal(.badDeviceToken)
        answer.pace = .stall(after: 10)
        let stalling = answer
        try bench.serve(with: { $0.maxConcurrentStreams = 100 }) {
          $0.token % 100 == 0 ? .custom(stalling) : nil
        }
        bench.books.expected = [.accepted: 990, .rejected: 10]
        let delivery = try bench.send(1000)
        let refused = delivery.results.filter { $0.outcome == .rejected }
        #expect(refused.allSatisfy { $0.response?.reason == nil && $0.attempts == 1 })
      }),
  ]

  /// A list whose last device token comes an hour after the others.
  private static func idle(
    _ name: String, isForgotten: Bool = false, answersPing: Bool = true
  ) -> FaultCase {
    .run(.exactlyOnce, name, fault: isForgotten ? .answers : .elsewhere) { bench in
      let first = SlowList.count
      let freeze = EmulatorAnswer.custom(.init(aftermath: .freeze(milliseconds: nil)))
      let server = try bench.serve(with: { $0.serverOptions.acknowledgesPings = answersPing }) {
        $0.push.number == first && isForgotten ? freeze : nil
      }
      let list = try SlowList(bench.folder.file("pipe"), last: tokenText(first + 1))
      let clock = bench.clock
      bench.run.whenRecorded = { results in
        guard list.isDone(results.count) else { return }
        clock.skip(seconds: 3600)
        list.end()
      }
      try bench.send([.file(list.path)], to: 1..<first + 2)
      #expect(server.connectionCount == (isForgotten || !answersPing ? 2 : 1))
    }
  }
}

/// A named pipe with device tokens from 1 on, whose last line comes when it is told.
private final class SlowList: Sendable {
  /// How many lines are there at once: as many as fit into a pipe everywhere.
  static let count = 100
  let path: String
  private let last: String
  private let descriptor: Int32
  private let left = Atomic(SlowList.count)

  init(_ path: String, last: String) throws {
    (self.path, self.last) = (path, last)
    try #require(mkfifo(path, 0o600) == 0)
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    shrinkPipe(descriptor)
    write(tokenList(Self.count))
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }

  /// Counts results; true when all first lines have theirs.
  func isDone(_ count: Int) -> Bool { left.subtract(count, ordering: .relaxed).newValue == 0 }

  /// Writes the last line, and closes the pipe.
  func end() {
    write(last + "\n")
    close(descriptor)
  }
}
