import APNS
import Credentials
import HTTP2
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Runs that share links", .timeLimit(.minutes(15)))
struct LinkPoolTests {
  @Test(
    "Two runs with different headers, topics and payloads use one connection, each with its ids")
  func shared() throws {
    let topics = Mutex<[Int: Set<String>]>([:])
    let server = try TestServer { attempt in
      topics.withLock {
        _ = $0[attempt.token, default: []].insert(attempt.push.headers["apns-topic"] ?? "")
      }
      return nil
    }
    let pool = LinkPool(server.target, try TestRun.newKey())
    let first = try TestRun(pool).send([.tokens(deviceTokens(500))], to: server.target)
    var other = TestRun(pool)
    (other.topic, other.alert) = ("com.example.mail", "You have mail")
    let second = try other.send([.tokens(deviceTokens(500..<800))], to: server.target)
    #expect(first[.accepted] == 500 && second[.accepted] == 300)
    #expect(server.emulator.connectionCount == 1 && server.providerTokens == 1)
    for (delivery, start) in [(first, 0), (second, 500)] {
      for result in delivery.results {
        let token = start + Int(result.push.sequence) - 1
        #expect(server.ids(of: token) == [delivery.report.apnsID(of: result.push).description])
      }
    }
    let seen = topics.withLock { $0 }
    #expect((0..<500).allSatisfy { seen[$0] == ["com.example.shop"] })
    #expect((500..<800).allSatisfy { seen[$0] == ["com.example.mail"] })
    let body = server.witness.sights[tokenText(700)]?.body ?? []
    #expect(String(decoding: body, as: UTF8.self).contains("You have mail"))
  }

  @Test("A single push that is waited for is not dialed for while a link is idle")
  func early() throws {
    let server = try TestServer()
    let pool = LinkPool(server.target, try TestRun.newKey())
    var run = TestRun(pool)
    run.early = PredialedLink(pool)
    #expect(run.early != nil)
    #expect(try run.send(1, to: server)[.accepted] == 1)
    #expect(PredialedLink(pool) == nil)
    #expect(try TestRun(pool).send(1, to: server)[.accepted] == 1)
    #expect(server.emulator.connectionCount == 1)
  }

  @Test("Links with a client certificate are shared as well", .needs("openssl"))
  func certificate() throws {
    let server = try TestServer(configure: { $0.requiresClientCertificate = true })
    let pool = LinkPool(
      server.target, try TestSupport.withTemporaryFolder { try credentials(in: $0) })
    for _ in 1...2 { #expect(try TestRun(pool).send(300, to: server)[.accepted] == 300) }
    #expect(server.emulator.connectionCount == 1)
    #expect(server.witness.providerTokens == 0)
  }

  private func credentials(in folder: TestSupport.TemporaryFolder) throws -> PushCredentials {
    _ = try CredentialWorkshop(in: folder)
    let certificate = try ClientCertificate.load(
      SecretBytes(bytes: Array(folder.text("both.pem").utf8)))
    return .certificate(
      try certificate.withKeyDER { key in
        try ClientIdentity(certificates: certificate.certificatesDER, key: key)
      })
  }

  @Test("Two runs at once hold links of their own, and leave both")
  func parallel() throws {
    let meeting = Meeting(of: 2)
    let server = try TestServer {
      if $0.push.stream == 1 { meeting.attend() }
      return nil
    }
    let pool = LinkPool(server.target, try TestRun.newKey())
    let lists = try [deviceTokens(2000), deviceTokens(2000..<4000)]
    let accepted = Mutex(0)
    onThreads(2) { number in
      let delivery = try? TestRun(pool).send([.tokens(lists[number])], to: server.target)
      accepted.withLock { $0 += delivery?[.accepted] ?? 0 }
    }
    #expect(accepted.withLock { $0 } == 4000 && server.processed.count == 4000)
    #expect(server.emulator.connectionCount == 2 && pool.idleCount == 2)
    #expect(
      try TestRun(pool).send([.tokens(deviceTokens(4000..<4001))], to: server.target)[.accepted]
        == 1)
    #expect(server.emulator.connectionCount == 2 && pool.idleCount == 2)
  }

  @Test("A run with other credentials, or for another server, takes and leaves nothing")
  func others() throws {
    let (server, other) = (try TestServer(), try TestServer())
    let credentials = try TestRun.newKey()
    let pool = LinkPool(server.target, credentials)
    _ = try TestRun(pool).send(10, to: server)
    var stranger = TestRun(pool)
    stranger.credentials = try TestRun.newKey()
    #expect(try stranger.send(10, to: server)[.accepted] == 10)
    #expect(server.emulator.connectionCount == 2)
    #expect(try TestRun(pool).send(10, to: other)[.accepted] == 10)
    #expect(other.emulator.connectionCount == 1 && pool.idleCount == 1)
  }

  @Test("What the last run was allowed proves nothing of the next one: three refusals are enough")
  func unproven() throws {
    let server = try TestServer { $0.token < 300 ? nil : .reject(.topicDisallowed) }
    let pool = LinkPool(server.target, try TestRun.newKey())
    #expect(try TestRun(pool).send(300, to: server)[.accepted] == 300)
    let list = try RecipientSource.tokens(deviceTokens(300..<600))
    let delivery = try TestRun(pool).send([list], to: server.target)
    #expect(delivery.report.stopCause.isBreaker(.topicDisallowed))
    #expect(server.emulator.requestCount == 303 && server.emulator.connectionCount == 1)
  }

  // MARK: What is not put back

  @Test("A link that a 403 has retired is not kept")
  func retired() throws {
    let server = try TestServer { $0.token == 99 ? .reject(.invalidProviderToken) : nil }
    let pool = LinkPool(server.target, try TestRun.newKey())
    #expect(try TestRun(pool).send(100, to: server)[.accepted] == 99)
    #expect(pool.idleCount == 0)
    #expect(try TestRun(pool).send(50, to: server)[.accepted] == 50)
    #expect(server.emulator.connectionCount == 2 && pool.idleCount == 1)
  }

  @Test("A run that is interrupted keeps its link, but not with a push in flight on it")
  func interrupted() throws {
    for swallowed in [false, true] {
      let control = RunControl()
      let server = try TestServer {
        if $0.token == 20 { control.stop(.interrupted) }
        return $0.token == 20 && swallowed ? .swallow : nil
      }
      let pool = LinkPool(server.target, try TestRun.newKey())
      var run = TestRun(pool)
      (run.control, run.timeoutMilliseconds) = (control, swallowed ? 3000 : 30_000)
      let delivery = try run.send(1000, to: server)
      #expect(delivery.report.stopCause == .interrupted)
      #expect(delivery[.unknown] == (swallowed ? 1 : 0))
      #expect(pool.idleCount == (swallowed ? 0 : 1))
    }
  }

  @Test("A link on which nothing was answered is not kept")
  func unanswered() throws {
    let server = try TestServer { _ in .reject(.invalidProviderToken) }
    let pool = LinkPool(server.target, try TestRun.newKey())
    #expect(try TestRun(pool).send(10, to: server).report.stopCause != nil)
    #expect(pool.idleCount == 0)
  }

  // MARK: The end of a pool

  @Test("A pool that is closed, or gone, says goodbye on its idle links")
  func goodbye() throws {
    for isClosed in [true, false] {
      let server = try ScriptedServer(streams: 100) { _, _ in }
      var pool: LinkPool? = LinkPool(server.target, try TestRun.newKey())
      let run = try TestRun(#require(pool))
      _ = try run.send([.tokens(deviceTokens(10))], to: server.target)
      if isClosed { pool?.close() } else { pool = nil }
      _ = consume run
      #expect(server.nextEnd() == true)
    }
  }

  @Test("A pool that is closed while a run goes on keeps none of its links")
  func closed() throws {
    let inUse = Mutex<LinkPool?>(nil)
    let server = try ScriptedServer(streams: 100) { number, _ in
      if number == 100 { inUse.withLock { $0 }?.close() }
    }
    let pool = LinkPool(server.target, try TestRun.newKey())
    inUse.withLock { $0 = pool }
    let list = try RecipientSource.tokens(deviceTokens(2000))
    #expect(try TestRun(pool).send([list], to: server.target)[.accepted] == 2000)
    #expect(pool.idleCount == 0)
    #expect(server.nextEnd() == true)
  }

  @Test("There is one pool for a server and its credentials, until all are closed")
  func pools() throws {
    let (one, other) = (try TestRun.newKey(), try TestRun.newKey())
    let (here, there) = (DialTarget(host: "127.0.0.1"), DialTarget(host: "127.0.0.1", port: 2197))
    let pools = LinkPools()
    let pool = pools.pool(for: here, one)
    #expect(pools.pool(for: here, one) === pool)
    #expect(pools.pool(for: there, one) !== pool)
    #expect(pools.pool(for: here, other) !== pool)
    pools.close()
    #expect(pools.pool(for: here, one) !== pool)
  }
}
