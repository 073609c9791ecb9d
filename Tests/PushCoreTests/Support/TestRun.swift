import APNS
import HTTP2
import PushCore
import Synchronization
import Testing

/// How a test sends.
struct TestRun: Sendable {
  var connections = 1
  var timeoutMilliseconds = 30_000
  var apnsID: APNSID?
  var control = RunControl()
  var clock = TestClock().clock
  var retryRules = RetryRules(waitsForSlowTokens: false)
  var rate: PushRate?
  var epochSeconds: @Sendable () -> Int64 = { RunClock.system.epochSeconds }

  /// Sends to as many device tokens, each with its number.
  func send(_ count: Int, to server: TestServer) throws -> Delivery {
    try send([.tokens(deviceTokens(count))], to: server.target)
  }

  /// Sends, and holds the books to what they must always say.
  func send(_ sources: [RecipientSource], to target: DialTarget) throws -> Delivery {
    let delivery = try within { try perform(sources, target) }
    delivery.expectWhole()
    return delivery
  }

  private func perform(_ sources: [RecipientSource], _ target: DialTarget) throws -> Delivery {
    let tokens = ProviderTokenSource(
      key: try SigningKey.generate(), keyID: try KeyID("ABC123DEFG"),
      teamID: try TeamID("DEF123GHIJ"), now: epochSeconds)
    var plan = DeliveryPlan(
      target: target, fields: try Self.fields, payload: try Self.payload, apnsID: apnsID,
      connections: connections, attemptTimeoutMilliseconds: timeoutMilliseconds)
    plan.retryRules = retryRules
    plan.rate = rate
    var results: [PushResult] = []
    let run = Run(plan, credentials: .tokens(tokens), control: control, clock: clock)
    let report = run.perform(try RecipientReader(sources)) { batch, summary in
      results += batch
      #expect(summary.total == results.count)
    }
    return Delivery(report: report, results: results)
  }

  private static var payload: Payload {
    get throws { try #require(Payload(Array(#"{"aps":{"alert":"Hello"}}"#.utf8))) }
  }

  private static var fields: [HeaderField] {
    get throws {
      [
        try HeaderField(.topic, "com.example.shop"), try HeaderField(.pushType, "alert"),
        try HeaderField(.priority, "10"),
      ]
    }
  }
}

/// What a run reported and recorded.
struct Delivery: Sendable {
  let report: Run.Report
  let results: [PushResult]

  var summary: RunSummary { report.summary }

  subscript(outcome: Outcome) -> Int { summary[outcome] }

  /// The sum that always holds, and each push recorded once.
  func expectWhole(_ location: SourceLocation = #_sourceLocation) {
    let counts = summary.recipients
    #expect(
      counts.lines == summary.total + counts.badLines + counts.duplicates + counts.suppressed
        + counts.otherShards,
      sourceLocation: location)
    let sequences = results.map(\.push.sequence).sorted()
    #expect(sequences == (0..<results.count).map { UInt64($0) + 1 }, sourceLocation: location)
    for outcome in Outcome.allCases {
      let count = results.count { $0.outcome == outcome }
      #expect(summary[outcome] == count, sourceLocation: location)
    }
    #expect(
      summary.resentInDoubt == results.count(where: \.wasResentInDoubt), sourceLocation: location)
  }

  /// Accepted is what the server took, and twice at most what was sent again in doubt.
  func expectAgreement(
    with server: TestServer, _ location: SourceLocation = #_sourceLocation
  ) {
    let processed = server.processed
    for result in results {
      let times = processed[result.push.token, default: 0]
      switch result.outcome {
      case .accepted where result.wasResentInDoubt:
        #expect(times >= 1, sourceLocation: location)
      case .accepted: #expect(times == 1, sourceLocation: location)
      case .unknown: break
      default: #expect(times == 0, sourceLocation: location)
      }
    }
  }
}
