import Foundation
package import HTTP2
import Synchronization

@testable import PushEmulator

/// What the threads of a scripted server share.
package final class ScriptedStage: Sendable {
  package typealias Order = @Sendable (ServerSession) throws -> ScriptedServer.Conduct

  private struct State {
    var wakes: [Wake]
    var connections = 0
    var order: (by: ObjectIdentifier, Order)?
    var farewells: [Bool] = []
    var isStopped = false
  }

  private let state: Mutex<State>
  private let number = Atomic(0)
  private let obeyed = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let script: ScriptedServer.Script

  package init(_ acceptor: Wake, _ script: @escaping ScriptedServer.Script) {
    state = Mutex(State(wakes: [acceptor]))
    self.script = script
  }

  package var connectionCount: Int { state.withLock { $0.connections } }

  package func stop() {
    let wakes = state.withLock { state in
      state.isStopped = true
      return state.wakes
    }
    for wake in wakes { wake.call() }
  }

  /// The wake of a new connection; nil when no more are taken.
  package func enter() -> Wake? {
    guard let wake = Wake() else { return nil }
    return state.withLock { state in
      state.wakes.append(wake)
      state.connections += 1
      return state.isStopped ? nil : wake
    }
  }

  package func order(_ order: @escaping Order) -> Bool {
    let wake = state.withLock { state in
      let newest = state.wakes[state.wakes.count - 1]
      state.order = (ObjectIdentifier(newest), order)
      return newest
    }
    wake.call()
    return obeyed.wait(timeout: .now() + 60) == .success
  }

  package func nextEnd() -> Bool? {
    guard ended.wait(timeout: .now() + 60) == .success else { return nil }
    return state.withLock { $0.farewells.removeFirst() }
  }

  package func serve(_ link: consuming ServerTLSConnection, _ session: ServerSession?, _ wake: Wake)
  {
    guard let session else { return }
    try? serve(link, session, wake)
    state.withLock { $0.farewells.append(session.isFinished) }
    ended.signal()
  }

  private func serve(
    _ link: borrowing ServerTLSConnection, _ session: ServerSession, _ wake: Wake
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)
    defer { buffer.deallocate() }
    while !session.isFinished {
      try answer(link, session, buffer)
      let isSent = try session.send(over: link)
      let ready = link.wait(forRoom: !isSent, wake: wake, milliseconds: 10_000)
      guard ready.contains(.woken) else { continue }
      switch try obey(link, session, wake) {
      case .goesOn: break
      case .hangsUp: return
      case .fallsSilent: return waitForStop(wake)
      }
    }
  }

  private func answer(
    _ link: borrowing ServerTLSConnection, _ session: ServerSession,
    _ buffer: UnsafeMutableRawBufferPointer
  ) throws {
    while case let count = try link.receive(into: buffer), count > 0 {
      try session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    try session.takeRequests { request in
      try script(number.add(1, ordering: .relaxed).newValue, session)
      try session.respond(to: request, status: 200, fields: [])
    }
  }

  private func waitForStop(_ wake: Wake) {
    while !state.withLock({ $0.isStopped }) { wake.wait(milliseconds: nil) }
  }

  private func obey(
    _ link: borrowing ServerTLSConnection, _ session: ServerSession, _ wake: Wake
  ) throws -> ScriptedServer.Conduct {
    wake.clear()
    guard let order = takeOrder(of: wake) else {
      return state.withLock { $0.isStopped } ? .hangsUp : .goesOn
    }
    defer { obeyed.signal() }
    let conduct = try order(session)
    _ = try session.send(over: link)
    return conduct
  }

  private func takeOrder(of wake: Wake) -> Order? {
    state.withLock { state in
      guard let order = state.order, order.by == ObjectIdentifier(wake) else { return nil }
      state.order = nil
      return order.1
    }
  }
}
