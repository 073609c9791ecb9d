import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Fanfare

@Suite("Deadlines, and tasks that are cancelled", .timeLimit(.minutes(15)))
struct DeadlineTests {
  @Test("A push that is not answered in time is unknown")
  func silent() async throws {
    let arrived = Signal()
    let server = try TestServer { push in
      if push.token != 1 { return nil }
      arrived.call()
      return .swallow
    }
    let client = try client(of: server)
    #expect(try await client.send(sample(), to: device(2)).outcome == .accepted)
    let result = try await client.send(sample(), to: device(1), deadline: .seconds(1))
    #expect(result.outcome == .unknown && result.obstacle?.kind == .deadline)
    await arrived.wait()
    #expect(server.ids(of: 1) == [try #require(result.apnsID)])
  }

  @Test("A push that was not sent in time is not attempted, however long a connection takes")
  func unsent() async throws {
    let silent = try TestProxy(.http, .keepsSilent)
    var patient = PushClient.Options()
    patient.connectTimeout = .seconds(3600)
    let client = PushClient(
      credentials: .init(push: try TestRun.newKey()),
      environment: try .server("https://127.0.0.1:\(silent.port)"), options: patient)
    let result = try await client.send(sample(), to: device(1), deadline: .milliseconds(100))
    #expect(result.outcome == .notAttempted && result.obstacle == .deadline)
    let channel = try ChannelID("dHN0LXNyY2gtY2hubA==")
    let broadcast = await client.broadcast(
      try PushNotification(.score, channel: channel, bundleID: "com.example.shop"),
      deadline: .milliseconds(100))
    #expect(broadcast.outcome == .notAttempted && broadcast.obstacle == .deadline)
  }

  @Test("A push whose deadline is far away is answered, and its timer ends with it")
  func inTime() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let result = try await client.send(sample(), to: device(1), deadline: .seconds(3600))
    #expect(result.outcome == .accepted)
    await client.close()
  }

  @Test("A task that was cancelled before it sends, sends nothing")
  func cancelledBefore() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let notification = try sample()
    #expect(await client.send(notification, to: try device(1000)).outcome == .accepted)
    for number in 1...500 {
      let token = try device(number)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await client.send(notification, to: token)
      }
      let result = await task.value
      #expect(result.outcome == .notAttempted && result.obstacle?.kind == .cancelled)
    }
    await client.close()
    #expect(server.emulator.requestCount == 1)
  }

  @Test(
    "A request about channels ends with its task, and says whether it may have been carried out")
  func channels() async throws {
    let arrived = Signal()
    let server = try TestServer { _ in
      arrived.call()
      return .swallow
    }
    let client = try client(of: server)
    let channels = client.channels(of: try BundleID("com.example.shop"))
    let sent = Task { try await channels.create() }
    await arrived.wait()
    sent.cancel()
    let error = await #expect(throws: PushClient.ChannelError.self) { try await sent.value }
    #expect(error?.isInDoubt == true)
    #expect(error?.description.hasPrefix("The task was cancelled; ") == true)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await channels.create()
    }
    let other = await #expect(throws: PushClient.ChannelError.self) { try await early.value }
    #expect(other?.isInDoubt == false)
    #expect(server.emulator.requestCount == 1)
  }

  @Test("Closing waits for requests about channels, unless its task is cancelled")
  func closing() async throws {
    let arrived = Signal()
    let server = try TestServer { _ in
      arrived.call()
      return .swallow
    }
    let client = try client(of: server)
    let request = Task { try await client.channels(of: try BundleID("com.example.shop")).all() }
    await arrived.wait()
    let closing = Task { await client.close() }
    closing.cancel()
    let error = await #expect(throws: PushClient.ChannelError.self) { try await request.value }
    #expect(error?.description == "The client is closed; the request may have been carried out.")
    server.emulator.stop()
    await closing.value
  }
}
