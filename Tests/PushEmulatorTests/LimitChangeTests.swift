import APNS
import HTTP2
import PushEmulator
import Testing

@Suite("Limits that change")
struct LimitChangeTests {
  private func server(
    _ changes: [SettingsChange] = [], answers: [Int: EmulatorAnswer] = [:]
  ) throws -> FaultyServer {
    try FaultyServer(answers) {
      $0.settings = changes
      $0.initialStreamLimit = 1
    }
  }

  @Test("at the start and with the first token, in the usual frames")
  func startsOtherwise() throws {
    let server = try server([
      SettingsChange(at: .start, Announcement(maxConcurrentStreams: 3)),
      SettingsChange(at: .firstToken, Announcement(maxConcurrentStreams: 7)),
    ])
    let client = try server.client()
    try client.run { client.concurrency != nil }
    #expect(client.concurrency == 3)
    #expect(try client.send(server.sample).status == 200)
    #expect(client.concurrency == 7)
    #expect(client.frames.of(.settings).count(where: { $0.flags == 0 }) == 2)
  }

  @Test("after so many requests, and back after some time")
  func changesAfterRequests() throws {
    let server = try server([
      SettingsChange(at: .requests(2), Announcement(maxConcurrentStreams: 0)),
      SettingsChange(at: .requests(2), after: 1000, Announcement(maxConcurrentStreams: 50)),
    ])
    let client = try server.client()
    var limits: [Int?] = []
    for _ in 1...2 {
      #expect(try client.send(server.sample).status == 200)
      limits.append(client.concurrency)
    }
    server.clock.advance(1000)
    client.ping()
    try client.run { client.pingsAcknowledged == 1 }
    #expect(limits == [1000, 0] && client.concurrency == 50)
  }

  @Test("after so many errors, 410 left out")
  func changesAfterErrors() throws {
    let server = try server(
      [SettingsChange(at: .errors(2), Announcement(maxConcurrentStreams: 5))],
      answers: [2: .reject(.unregistered), 3: .reject(.badPriority), 5: .reject(.badTopic)])
    let client = try server.client()
    let limits = try (1...5).map { _ in
      _ = try client.send(server.sample)
      return client.concurrency
    }
    #expect(limits == [1000, 1000, 1000, 1000, 5])
  }

  @Test("as an answer's companion")
  func changesWithAnswer() throws {
    let few = Announcement(maxConcurrentStreams: 2)
    let server = try server(answers: [1: .announce(few, then: .reject(.shutdown))])
    let client = try server.client()
    #expect(try client.send(server.sample).status == 503)
    #expect(client.concurrency == 2)
  }

  @Test("to no window at all for bodies, and back after some time")
  func starvesStreams() throws {
    let server = try server([
      SettingsChange(at: .start, Announcement(initialWindowSize: 0)),
      SettingsChange(at: .start, after: 1000, Announcement(initialWindowSize: 65_535)),
    ])
    let client = try server.client()
    try client.run { client.concurrency != nil }
    let push = try client.begin(server.sample)
    client.ping()
    try client.run { client.pingsAcknowledged == 1 }
    #expect(push.end == nil && server.entries.isEmpty)
    server.clock.advance(1000)
    client.ping()
    try client.run { push.end != nil }
    #expect(push.status == 200)
  }

  @Test("to a connection that takes no more bodies, until it does")
  func starvesConnection() throws {
    let server = try FaultyServer {
      $0.serverOptions.refillsWindows = false
      $0.settings = [
        SettingsChange(at: .requests(17), after: 1000, Announcement(windowIncrement: 65_535))
      ]
    }
    let client = try server.client()
    let large = server.sample.with(
      body: #"{"aps":{},"x":""# + String(repeating: "x", count: 3600) + "\"}")
    let pushes = try (1...20).map { _ in try client.begin(large) }
    try client.run { pushes.count(where: { $0.end != nil }) >= 17 }
    client.ping()
    try client.run { client.pingsAcknowledged == 1 }
    #expect(pushes.filter { $0.end == nil }.count > 1)
    server.clock.advance(1000)
    client.ping()
    try client.run { pushes.allSatisfy { $0.end == .answered } }
    #expect(pushes.allSatisfy { $0.status == 200 })
  }

  @Test("when the error budget runs low; the connection ends when it is used up")
  func spendsBudget() throws {
    let server = try FaultyServer([1: .reject(.unregistered)]) {
      $0.errorBudget = ErrorBudget(
        slowsAt: 6, endsAt: 10, end: ConnectionEnd(errorCode: 11, reason: .shutdown))
    }
    let client = try server.client()
    let bad = server.sample.with(path: "/3/device/xyz")
    let faulty = server.sample.with("apns-priority", "7")
    var limits: [Int?] = []
    for sample in [server.sample, bad, server.sample, faulty, bad] {
      _ = try client.send(sample)
      limits.append(client.concurrency)
    }
    #expect(limits == [1000, 1000, 1000, 1, 1])
    #expect(client.goAway?.errorCode == 11 && client.goAway?.lastStream == 9)
    try client.run { false }
    #expect(client.isClosed)
    #expect(try server.client().send(server.sample).status == 200)
  }
}
