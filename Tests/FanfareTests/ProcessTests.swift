import APNS
import Foundation
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Fanfare

/// What a client does to the process that it is in.
@Suite("The process of a client", .timeLimit(.minutes(15)))
struct ProcessTests {
  @Test("A client leaves the process's SIGPIPE as it is, and is not killed by one")
  func brokenPipe() async throws {
    await #expect(processExitsWith: .success) {
      _ = signal(SIGPIPE, SIG_DFL)
      let server = try TestServer { $0.push.number.isMultiple(of: 3) ? .drop(.rst) : nil }
      let client = try client(of: server)
      for number in 1...30 { _ = await client.send(try sample(), to: try device(number)) }
      server.emulator.stop()
      _ = try await client.send(sample(), to: device(1), deadline: .milliseconds(100))
      #expect(signal(SIGPIPE, SIG_DFL) == nil)
    }
  }

  @Test("The same key once more makes no new token, no connection and no pause")
  func sameKey() async throws {
    let key = try LocalKey()
    let server = try TestServer()
    let client = PushClient(
      credentials: try key.credentials(), environment: try environment(of: server))
    for number in 1...20 {
      #expect(try await client.send(sample(), to: device(number)).outcome == .accepted)
      client.update(credentials: try key.credentials())
    }
    #expect(server.providerTokens == 1 && server.emulator.connectionCount == 1)
    client.update(credentials: try key.credentials(team: "ZZZ123GHIJ"))
    #expect(try await client.send(sample(), to: device(21)).outcome == .accepted)
    #expect(server.providerTokens == 2)
    await client.close()
  }

  @Test("Two hundred idle clients have no threads and no connections, and send when they are asked")
  func idle() async throws {
    let server = try TestServer()
    var options = PushClient.Options()
    options.idleTimeout = .milliseconds(1)
    let environment = try environment(of: server)
    let key = try TestRun.newKey()
    let clients = (0..<200).map { _ in
      PushClient(credentials: .init(push: key), environment: environment, options: options)
    }
    for round in 0..<2 {
      for (number, client) in clients.enumerated() {
        let result = try await client.send(sample(), to: device(number + 200 * round))
        #expect(result.outcome == .accepted)
      }
      let end = ContinuousClock.now + .seconds(60)
      // A session ends with the last thread of it.
      func isBusy(_ client: PushClient) -> Bool {
        client.dispatcher.state.withLock { !$0.sessions.isEmpty }
      }
      while clients.contains(where: isBusy), ContinuousClock.now < end { await Task.yield() }
      #expect(!clients.contains(where: isBusy))
    }
  }
}

/// A signing key, read anew each time as from a secret store.
private struct LocalKey {
  let pem: String

  init() throws { pem = try freshKey() }

  func credentials(team: String = "DEF123GHIJ") throws -> PushClient.Credentials {
    try .signingKey(pem: pem, keyID: "ABC123DEFG", teamID: team)
  }
}
