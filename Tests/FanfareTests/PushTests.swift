import APNS
import Dispatch
import Foundation
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Single pushes", .timeLimit(.minutes(15)))
struct PushTests {
  @Test("A push is accepted, and its result tells all about it")
  func accepted() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let result = await client.send(try sample(), to: try device(1))
    #expect(result.outcome == .accepted)
    #expect(result.token == (try device(1)))
    #expect(result.status == .accepted)
    #expect(result.attempts == 1)
    #expect(result.latency != nil)
    #expect(result.uniqueID != nil)
    #expect(server.ids(of: 1) == [try #require(result.apnsID)])
    await client.close()
  }

  @Test("A refusal comes with its reason, advice and the time of a 410")
  func refused() async throws {
    let server = try TestServer { _ in .reject(.unregistered, timestamp: 1_700_000_000_000) }
    let client = try client(of: server)
    let result = await client.send(try sample(), to: try device(1))
    #expect(result.outcome == .rejected)
    #expect(result.reason == .unregistered)
    #expect(result.advice?.contains("--") == false)
    #expect(result.deadSince == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(result.deadToken != .no)
    await client.close()
  }

  @Test("A thousand tasks share one connection, and each push arrives once")
  func manyTasks() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let notification = try sample()
    let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<1000 {
        group.addTask {
          var accepted = 0
          for push in 0..<10 {
            let result = await client.send(notification, to: try device(task * 10 + push + 1))
            if result.outcome == .accepted { accepted += 1 }
          }
          return accepted
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(accepted == 10_000)
    #expect(server.processed.count == 10_000)
    #expect(server.processed.values.allSatisfy { $0 == 1 })
    #expect(server.emulator.connectionCount == 1)
    await client.close()
  }

  @Test("Notifications with other headers and payloads share the connection too")
  func different() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let id = "8b6a3a4e-0d4f-4a6e-9a39-8c4fa1e0b7d2"
    try await withThrowingTaskGroup(of: SendResult.self) { group in
      for number in 1...300 {
        let notification = try PushNotification(
          .alert(body: "Number \(number)"), bundleID: "com.example.shop",
          collapseID: number.isMultiple(of: 2) ? "c\(number)" : nil,
          id: number.isMultiple(of: 7) ? id : nil)
        let token = try device(number)
        group.addTask { await client.send(notification, to: token) }
      }
      for try await result in group { #expect(result.outcome == .accepted) }
    }
    for number in 1...300 {
      let body = try #require(server.witness.sights[tokenText(number)]?.body)
      #expect(String(decoding: body, as: UTF8.self).contains("Number \(number)\""))
      #expect((server.ids(of: number) == [id]) == number.isMultiple(of: 7))
    }
    await client.close()
  }

  @Test("A push that was sent ends as unknown when its task is cancelled")
  func cancelledInFlight() async throws {
    let arrived = Signal()
    let server = try TestServer { _ in
      arrived.call()
      return .swallow
    }
    let client = try client(of: server)
    let notification = try sample()
    let token = try device(1)
    let task = Task { await client.send(notification, to: token) }
    await arrived.wait()
    task.cancel()
    let result = await task.value
    #expect(result.outcome == .unknown)
    #expect(result.obstacle?.kind == .cancelled)
    #expect(server.ids(of: 1) == [try #require(result.apnsID)])
  }

  @Test("The apns-id of the notification is the result's, also when its answer is not waited for")
  func givenID() async throws {
    let id = "8b6a3a4e-0d4f-4a6e-9a39-8c4fa1e0b7d2"
    let notification = try PushNotification(
      .alert(body: "Ready"), bundleID: "com.example.shop", id: id)
    let arrived = [1: Signal(), 2: Signal()]
    let server = try TestServer { push in
      arrived[push.token]?.call()
      return arrived[push.token] == nil ? nil : .swallow
    }
    let client = try client(of: server)
    #expect(await client.send(notification, to: try device(3)).apnsID == id)
    let (one, two) = (try device(1), try device(2))
    let single = Task { [await client.send(notification, to: one)] }
    let list = Task {
      var results: [SendResult] = []
      do {
        for try await result in client.send(notification, to: [two]) { results.append(result) }
      } catch { #expect(error is CancellationError) }
      return results
    }
    for (number, task) in [(1, single), (2, list)] {
      await arrived[number]?.wait()
      task.cancel()
      let results = await task.value
      #expect(results.map(\.outcome) == [.unknown] && results.map(\.apnsID) == [id])
      #expect(server.ids(of: number) == [id])
    }
  }

  @Test("A push that waits for room is not attempted when its task is cancelled")
  func cancelledWaiting() async throws {
    let arrived = Signal()
    // The first push holds the only stream until it is answered.
    let release = DispatchSemaphore(value: 0)
    let server = try TestServer { push in
      if push.token == 1 {
        arrived.call()
        release.wait()
      }
      return nil
    }
    let client = try client(of: server)
    let notification = try sample()
    let (one, two) = (try device(1), try device(2))
    let first = Task { await client.send(notification, to: one) }
    await arrived.wait()
    let second = Task { await client.send(notification, to: two) }
    second.cancel()
    let result = await second.value
    release.signal()
    #expect(result.outcome == .notAttempted)
    #expect(result.obstacle?.kind == .cancelled)
    #expect(result.apnsID == nil)
    #expect(await first.value.outcome == .accepted)
    await client.close()
    #expect(server.ids(of: 2).isEmpty)
  }

  @Test("Closing waits for what was taken, and takes nothing more")
  func closing() async throws {
    let arrived = Signal()
    let server = try TestServer { _ in
      arrived.call()
      return .delay(milliseconds: 200, then: .accept)
    }
    let client = try client(of: server)
    let notification = try sample()
    let token = try device(1)
    let push = Task { await client.send(notification, to: token) }
    await arrived.wait()
    await client.close()
    #expect(await push.value.outcome == .accepted)
    let late = await client.send(notification, to: token)
    #expect(late.outcome == .notAttempted)
    #expect(late.obstacle?.kind == .closed)
  }

  @Test("Other credentials are used from the next push on")
  func update() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let notification = try sample()
    let first = await client.send(notification, to: try device(1))
    client.update(credentials: .init(push: try TestRun.newKey()))
    let second = await client.send(notification, to: try device(2))
    #expect([first.outcome, second.outcome] == [.accepted, .accepted])
    #expect(server.providerTokens == 2)
    #expect(server.emulator.connectionCount == 2)
    await client.close()
  }

  @Test("Without a server pushes fail with the reason, and the next ones at once")
  func noServer() async throws {
    let server = try TestServer()
    let environment = try environment(of: server)
    server.emulator.stop()
    let client = PushClient(
      credentials: .init(push: try TestRun.newKey()), environment: environment)
    for number in 1...2 {
      let result = await client.send(try sample(), to: try device(number))
      #expect(result.outcome == .notAttempted)
      #expect(result.obstacle?.kind == .connection)
    }
    await client.close()
  }
}
