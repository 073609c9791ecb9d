import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Settings
import TestSupport
import Testing

@testable import Fanfare

@Suite("Options of the client", .timeLimit(.minutes(15)))
struct OptionsTests {
  typealias Options = PushClient.Options

  /// An option, and the proof that it has its effect.
  struct Case: Sendable, CustomTestStringConvertible {
    let option: String
    let prove: @Sendable () async throws -> Void

    var testDescription: String { option }
  }

  static let cases = [
    Case(option: "connections", prove: connections), Case(option: "rate", prove: rate),
    Case(option: "timeout", prove: timeout),
    Case(option: "connectTimeout", prove: connectTimeout), Case(option: "retries", prove: retries),
    Case(option: "retryDelay", prove: retryDelay), Case(option: "atMostOnce", prove: atMostOnce),
    Case(option: "breaker", prove: breaker), Case(option: "proxy", prove: proxy),
    Case(option: "idleTimeout", prove: idleTimeout),
  ]

  @Test("Each option has a case here")
  func all() {
    let names = Mirror(reflecting: Options()).children.compactMap(\.label)
    #expect(Self.cases.map(\.option).sorted() == names.sorted())
  }

  @Test("Each option has its effect", arguments: cases)
  func effect(_ test: Case) async throws { try await test.prove() }

  @Test("The defaults are the program's")
  func defaults() {
    let (options, program) = (Options(), Settings.builtIn)
    #expect(options.connections == program.connections?.value)
    #expect(options.rate == nil && program.rate == nil)
    #expect(options.timeout.milliseconds == program.timeout?.value.milliseconds)
    // The program has no option for this one.
    #expect(options.connectTimeout.milliseconds == DialTarget(host: "").timeoutMilliseconds)
    #expect(options.retries == program.retries?.value)
    #expect(options.retryDelay.milliseconds == program.retryDelay?.value.milliseconds)
    #expect(options.atMostOnce == program.atMostOnce.isOn)
    #expect((options.breaker == .off) == program.breaker.isOff)
    #expect(options.proxy == nil && program.proxy == nil)
    // A run of the program ends when it has sent.
    #expect(options.idleTimeout == .seconds(600))
  }

  @Test(
    "Time-outs are whole milliseconds, at least one, and a day's at most",
    arguments: [
      (.zero, 1), (.microseconds(1999), 1), (.milliseconds(2), 2), (.milliseconds(1250), 1250),
      (.seconds(60), 60_000), (.seconds(-5), 1), (.seconds(86_400), 86_400_000),
      (.seconds(86_401), 86_400_000), (.seconds(Int64.max), 86_400_000), (.seconds(Int64.min), 1),
    ] as [(Duration, Int)])
  func milliseconds(_ duration: Duration, _ milliseconds: Int) {
    #expect(duration.milliseconds == milliseconds)
  }
}

// The proofs: each has the effect, and shows that it is the option's.
extension OptionsTests {
  private static let silent: @Sendable (Attempt) -> EmulatorAnswer? = { _ in .swallow }

  /// A client whose pauses between connections take no time.
  private static func client(
    _ environment: PushClient.Environment, clock: RunClock = TestClock().clock,
    events: @escaping @Sendable (PushClient.Event) -> Void = { _ in },
    _ change: (inout Options) -> Void
  ) throws -> PushClient {
    var options = Options()
    change(&options)
    return PushClient(
      .init(push: try TestRun.newKey()), environment, options, clock: clock, events: events)
  }

  /// The result of a client's only push.
  private static func push(
    to server: TestServer, _ change: (inout Options) -> Void
  ) async throws -> SendResult {
    let client = try client(environment(of: server), change)
    let result = await client.send(try sample(), to: try device(1))
    await client.close()
    return result
  }

  /// Has another client send, which takes the time in which a push that nothing holds would go.
  private static func passTime() async throws {
    let server = try TestServer()
    let client = try client(environment(of: server)) { _ in }
    for number in 1...100 {
      #expect(try await client.send(sample(), to: device(number)).outcome == .accepted)
    }
    await client.close()
  }

  private static func connections() async throws {
    let meeting = Meeting(of: 3)
    // The first answer lets the other connections open. Later ones wait for them, so that there is
    // something left to send.
    let server = try TestServer { push in
      if push.push.number > 1 { meeting.wait() }
      return nil
    }
    let client = try client(
      environment(of: server),
      events: { if case .connectionOpened = $0 { meeting.come() } },
      { $0.connections = .fixed(3) })
    let results = try await client.send(sample(), to: deviceTokens(1..<10_001)).byPosition()
    #expect(results.values.allSatisfy { $0.outcome == .accepted })
    #expect(server.emulator.connectionCount == 3)
    await client.close()
  }

  private static func rate() async throws {
    let server = try TestServer()
    let client = try client(environment(of: server)) {
      $0.rate = PushRate(1, perMilliseconds: 3_600_000)
    }
    #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
    let (notification, token) = (try sample(), try device(2))
    let second = Task { await client.send(notification, to: token) }
    try await passTime()
    second.cancel()
    #expect(await second.value.outcome == .notAttempted)
    #expect(server.emulator.requestCount == 1)
  }

  private static func timeout() async throws {
    let server = try TestServer(answer: silent)
    let change: @Sendable (inout Options) -> Void = {
      ($0.timeout, $0.connectTimeout) = (.milliseconds(100), .seconds(40))
    }
    // The first attempt, and three more.
    let result = try await soon { try await push(to: server, change) }
    #expect(result?.outcome == .unknown)
    #expect(result?.attempts == 4)
    let error = try await soon {
      try await #require(throws: PushClient.ChannelError.self) {
        try await client(environment(of: server), change)
          .channels(of: try BundleID("com.example.shop")).all()
      }
    }
    #expect(error?.isInDoubt == true)
  }

  /// The result of a body that is to end after milliseconds; nil when it takes twenty seconds, half
  /// of what it takes with the wrong time-out.
  private static func soon<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try? await Task.sleep(for: .seconds(20))
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private static func connectTimeout() async throws {
    let silent = try TestProxy(.http, .keepsSilent)
    let client = try client(.server("https://127.0.0.1:\(silent.port)")) {
      ($0.timeout, $0.connectTimeout) = (.seconds(1), .milliseconds(250))
    }
    let result = await client.send(try sample(), to: try device(1))
    #expect(result.obstacle?.kind == .connection)
    #expect(result.obstacle?.description.contains(" within 250 ms") == true)
    let error = try await #require(throws: PushClient.ChannelError.self) {
      try await client.channels(of: try BundleID("com.example.shop")).all()
    }
    #expect(error.description.contains(" within 250 ms"))
  }

  private static func retries() async throws {
    for retries in 0...2 {
      let server = try TestServer { _ in .reject(.serviceUnavailable) }
      let result = try await push(to: server) {
        ($0.retries, $0.retryDelay) = (retries, .milliseconds(1))
      }
      #expect(result.outcome == .deferred && result.attempts == retries + 1)
    }
  }

  private static func retryDelay() async throws {
    let server = try TestServer {
      $0.token == 1 && $0.attempt == 1 ? .reject(.serviceUnavailable) : nil
    }
    let (time, isRefused) = (TestClock(), Signal())
    var clock = time.clock
    clock.wait = RunClock.system.wait
    let client = try client(
      environment(of: server), clock: clock,
      events: { if case .resent = $0 { isRefused.call() } },
      { ($0.retries, $0.retryDelay) = (1, .seconds(3600)) })
    let (notification, token) = (try sample(), try device(1))
    let push = Task { await client.send(notification, to: token) }
    await isRefused.wait()
    // Other pushes wake the connection, which then looks at its clock.
    time.skip(seconds: 3000)
    for number in 2...10 { _ = await client.send(notification, to: try device(number)) }
    #expect(server.ids(of: 1).count == 1)
    time.skip(seconds: 1200)
    _ = await client.send(notification, to: try device(2))
    #expect(await push.value.outcome == .accepted)
    await client.close()
  }

  private static func atMostOnce() async throws {
    for isAtMostOnce in [false, true] {
      let server = try TestServer { $0.attempt == 1 ? .processed(then: .reset(code: 2)) : nil }
      let result = try await push(to: server) { $0.atMostOnce = isAtMostOnce }
      #expect(result.outcome == (isAtMostOnce ? .unknown : .accepted))
      #expect(result.mayArriveTwice == !isAtMostOnce)
      #expect(server.processed.values.first == (isAtMostOnce ? 1 : 2))
    }
  }

  private static func breaker() async throws {
    for breaker in [PushClient.BreakerScope.perTopic, .client, .off] {
      let server = try TestServer { _ in .reject(.topicDisallowed) }
      let client = try client(environment(of: server)) { $0.breaker = breaker }
      let results = try await client.send(sample(), to: deviceTokens(1..<31)).byPosition()
      let rejected = results.values.count { $0.outcome == .rejected }
      #expect(rejected == (breaker == .off ? 30 : 3))
      await client.close()
    }
  }

  private static func idleTimeout() async throws {
    let server = try TestServer()
    let closed = Signal()
    let client = try client(
      environment(of: server),
      events: { if case .connectionClosed(nil) = $0 { closed.call() } },
      { $0.idleTimeout = .milliseconds(1) })
    #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
    await closed.wait()
    #expect(try await client.send(sample(), to: device(2)).outcome == .accepted)
    await client.close()
    #expect(server.emulator.connectionCount == 2)
  }

  private static func proxy() async throws {
    let (server, proxy) = (try TestServer(), try TestProxy())
    let client = try client(environment(of: server)) { $0.proxy = try? PushClient.Proxy(proxy.url) }
    #expect(try await client.send(sample(), to: device(1)).outcome == .accepted)
    #expect(try await client.channels(of: try BundleID("com.example.shop")).all() == [])
    let destination = "127.0.0.1:\(server.emulator.port)"
    #expect(proxy.requests.map(\.destination) == [destination, destination])
    await client.close()
  }
}
