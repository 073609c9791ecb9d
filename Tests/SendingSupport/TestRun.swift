package import APNS
package import Credentials
package import Delivery
package import HTTP2
package import PushModel
package import Recipients
package import SQLHistory
import Synchronization
import Testing

/// How a test sends.
package struct TestRun: Sendable {
  package var connections: ConnectionCount
  package var timeoutMilliseconds: Int
  /// The number of each connection's first stream.
  package var firstStream: Int32 = 1
  package var apnsID: APNSID?
  package var topic = "com.example.shop"
  package var alert = "Hello"
  /// Nil signs in with a key of this run alone.
  package var credentials: PushCredentials?
  package var early: PredialedLink?
  package var links: LinkPool?
  package var control: RunControl
  package var clock: RunClock
  package var retryRules: RetryRules
  package var rate: PushRate?
  /// When the notification expires, in seconds since 1970.
  package var expiresAt: Int64?
  package var rendering: (any RowRendering)?
  /// Begins or resumes the run's ledger; nil keeps none.
  package var history: (@Sendable (RunIdentity) throws -> SQLLedger)?
  /// Is given the results as they come, on the thread that records.
  package var whenRecorded: @Sendable ([PushResult]) -> Void
  package var epochSeconds: @Sendable () -> Int64
  /// Changes the plan.
  package var adapt: @Sendable (inout DeliveryPlan) -> Void = { _ in }

  package init(
    connections: Int = 1, timeoutMilliseconds: Int = 30_000, apnsID: APNSID? = nil,
    credentials: PushCredentials? = nil, early: PredialedLink? = nil,
    control: RunControl = RunControl(),
    clock: RunClock = TestClock().clock,
    retryRules: RetryRules = RetryRules(waitsForSlowTokens: false), rate: PushRate? = nil,
    expiresAt: Int64? = nil, rendering: (any RowRendering)? = nil,
    history: (@Sendable (RunIdentity) throws -> SQLLedger)? = nil,
    whenRecorded: @escaping @Sendable ([PushResult]) -> Void = { _ in },
    epochSeconds: @escaping @Sendable () -> Int64 = { RunClock.system.epochSeconds }
  ) {
    (self.connections, self.timeoutMilliseconds) = (.fixed(connections), timeoutMilliseconds)
    (self.apnsID, self.credentials, self.early) = (apnsID, credentials, early)
    (self.control, self.clock, self.retryRules) = (control, clock, retryRules)
    (self.rate, self.expiresAt, self.rendering) = (rate, expiresAt, rendering)
    (self.history, self.whenRecorded, self.epochSeconds) = (history, whenRecorded, epochSeconds)
  }

  /// Sends to as many device tokens, each with its number.
  package func send(_ count: Int, to server: TestServer) throws -> Delivery {
    try send([.tokens(deviceTokens(count))], to: server.target)
  }

  /// Sends, and holds the books to what they must always say.
  package func send(_ sources: [RecipientSource], to target: DialTarget) throws -> Delivery {
    let delivery = try within { try perform(sources, target) }
    delivery.expectWhole()
    return delivery
  }

  /// Sends to recipients that come from elsewhere than lists.
  package func send(
    to server: TestServer, from source: @escaping @Sendable () throws -> sending some PushSource
  ) throws -> Delivery {
    try within { try perform(try plan(server.target), try source(), nil) }
  }

  private func perform(_ sources: [RecipientSource], _ target: DialTarget) throws -> Delivery {
    let plan = try plan(target)
    let ledger = try history.map { try $0(RunIdentity(given: apnsID, clock)) }
    return try perform(plan, RecipientReader(sources, rendering: rendering), ledger)
  }

  private func plan(_ target: DialTarget) throws -> DeliveryPlan {
    var plan = DeliveryPlan(
      target: target, fields: try fields, payload: try payload, apnsID: apnsID,
      connections: connections, attemptTimeoutMilliseconds: timeoutMilliseconds)
    plan.retryRules = retryRules
    plan.firstStream = firstStream
    plan.rate = rate
    plan.expiresAt = expiresAt
    adapt(&plan)
    return plan
  }

  private func perform(
    _ plan: DeliveryPlan, _ recipients: consuming sending some PushSource & ~Copyable,
    _ ledger: SQLLedger?
  ) throws -> Delivery {
    let credentials = try credentials ?? Self.newKey(epochSeconds)
    var results: [PushResult] = []
    let run = Run(
      plan, credentials: credentials, control: control, clock: clock,
      identity: ledger?.record.identity, early: early, links: links)
    let report = run.perform(recipients, ledger: ledger.map { RunLedger($0) }) { batch, summary in
      results += batch
      whenRecorded(Array(batch))
    }
    let error = ledger.flatMap { close($0, report) }
    return Delivery(
      report: report, results: results, isResumed: ledger?.resuming != nil, lost: error)
  }

  private func close(_ ledger: SQLLedger, _ report: Run.Report) -> HistoryError? {
    let counts = report.read
    if report.hasReadAll { ledger.listsEnded(at: UInt64(counts.pushes)) }
    let isWhole = report.hasReadAll && report.stopCause == nil
    do throws(HistoryError) {
      try ledger.finish(
        RunEnding(
          isWhole ? .finished : .interrupted, recipients: counts, at: clock.epochMilliseconds()))
      return nil
    } catch {
      return error
    }
  }

  /// Credentials with a key that nobody else has.
  package static func newKey(
    _ epochSeconds: @escaping @Sendable () -> Int64 = { RunClock.system.epochSeconds }
  ) throws -> PushCredentials {
    .tokens(
      ProviderTokenSource(
        key: try SigningKey.generate(), keyID: try KeyID("ABC123DEFG"),
        teamID: try TeamID("DEF123GHIJ"), now: epochSeconds))
  }

  private var payload: Payload {
    get throws { try #require(Payload(Array(#"{"aps":{"alert":"\#(alert)"}}"#.utf8))) }
  }

  private var fields: [HeaderField] {
    get throws {
      [
        try HeaderField(.topic, topic), try HeaderField(.pushType, "alert"),
        try HeaderField(.priority, "10"),
      ]
    }
  }
}

extension TestRun {
  /// A run that shares the links of a pool, with its credentials.
  package init(_ pool: LinkPool) {
    self.init()
    (credentials, links) = (pool.credentials, pool)
  }
}
