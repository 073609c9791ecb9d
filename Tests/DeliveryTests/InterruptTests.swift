import APNS
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Interrupts", .timeLimit(.minutes(15)))
struct InterruptTests {
  @Test("What is in flight is finished, the rest is not attempted", arguments: [1, 3])
  func midRun(_ connections: Int) throws {
    let control = RunControl()
    let server = try TestServer {
      if $0.push.number == 2000 { control.stop(.interrupted) }
      return nil
    }
    let run = TestRun(connections: connections, control: control)
    let delivery = try run.send(100_000, to: server)
    #expect(delivery.report.stopCause == .interrupted)
    #expect(delivery[.accepted] >= 2000)
    #expect(delivery[.accepted] + delivery[.notAttempted] == delivery.summary.total)
    #expect(delivery.summary.total < 100_000)
    let unread = try #require(delivery.report.unread)
    #expect(unread.count == 100_000 - delivery.summary.total)
    #expect(unread.place == .init(list: "--to", line: delivery.summary.total))
    #expect(control.inFlight == 0)
    delivery.expectAgreement(with: server)
  }

  @Test("A run that is interrupted before it begins sends nothing")
  func before() throws {
    let control = RunControl()
    control.stop(.interrupted)
    let server = try TestServer()
    let delivery = try TestRun(connections: 2, control: control).send(1000, to: server)
    #expect(delivery[.accepted] == 0)
    #expect(server.emulator.requestCount == 0)
  }

  @Test("A reader that waits for a silent pipe does not hold up the end")
  func silentPipe() throws {
    let pipe = try SilentPipe(deviceTokens(100))
    let control = RunControl()
    let server = try TestServer {
      if $0.push.number == 100 { control.stop(.interrupted) }
      return nil
    }
    let delivery = try TestRun(connections: 2, control: control).send(
      [.file(pipe.path)], to: server.target)
    #expect(delivery[.accepted] == 100)
    #expect(delivery.report.stopCause == .interrupted)
  }

  @Test("A run that stopped by itself and still reads a pipe can be interrupted")
  func afterAStop() throws {
    let pipe = try SilentPipe(deviceTokens(100))
    let control = RunControl()
    control.whenStopped { [weak control] cause in
      if cause != .interrupted { control?.stop(.interrupted) }
    }
    let server = try TestServer { _ in .reject(.invalidProviderToken) }
    let delivery = try TestRun(control: control).send([.file(pipe.path)], to: server.target)
    #expect(delivery.report.stopCause.isBreaker(.invalidProviderToken))
    #expect(delivery[.rejected] == 3)
    #expect(delivery[.notAttempted] == 97)
  }

  @Test("A listener that comes too late is called at once, when the run is stopping already")
  func lateListener() {
    let control = RunControl()
    control.stop(.interrupted)
    let isStopping = Mutex<[Bool]>([])
    control.whenStopped { _ in isStopping.withLock { $0.append(control.isStopping) } }
    #expect(isStopping.withLock { $0 } == [true])
  }
}
