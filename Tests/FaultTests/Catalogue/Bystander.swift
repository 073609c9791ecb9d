import Foundation
import HTTP2
import PushEmulator
import PushModel
import SQLHistory
import SendingSupport
import Synchronization
import Testing

/// Another run that writes the same history at the same time.
final class Bystander: Sendable {
  private let server: TestServer
  private let run: TestRun
  private let delivery = Mutex<Delivery?>(nil)
  private let isStarted = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(history path: String) throws {
    server = try TestServer()
    var run = TestRun()
    run.history = { identity in
      let record = RunRecord(
        started: RunClock.system.epochMilliseconds(), environment: "emulator", version: "1",
        identity: identity)
      return try SQLLedger.begin(record, at: path)
    }
    self.run = run
  }

  /// Begins, the first time it is called.
  func start() {
    if isStarted.exchange(true, ordering: .relaxed) { return }
    Thread.detachNewThread { [self] in
      let delivery = try? run.send(3000, to: server)
      self.delivery.withLock { $0 = delivery }
      ended.signal()
    }
  }

  func expectEnd() throws {
    #expect(ended.wait(timeout: .now() + 120) == .success)
    let delivery = try #require(delivery.withLock { $0 })
    #expect(delivery[.accepted] == 3000 && delivery.lost == nil)
    delivery.expectAgreement(with: server)
  }
}
