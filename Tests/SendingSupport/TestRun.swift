import APNS
import Credentials
import Delivery
import HTTP2
import PushModel
import Recipients
import SQLiteHistory
import Synchronization
import Testing

/// How a test sends.
struct TestRun: Sendable {
  var connections = 1
  var timeoutMilliseconds = 30_000
  /// The number of each connection's first stream.
  var firstStream: Int32 = 1
  var apnsID: APNSID?
  var topic = "com.example.shop"
  var alert = "Hello"
  /// Nil signs in with a key of this run alone.
  var credentials: PushCredentials?
  var early: EarlyLink?
  var links: LinkPool?
  var control = RunControl()
  var clock = TestClock().clock
  var retryRules = RetryRules(waitsForSlowTokens: false)
  var rate: PushRate?
  /// When the notification expires, in seconds since 1970.
  var expiresAt: Int64?
  var rendering: (any RowRendering)?
  /// Begins or resumes the run's ledger; nil keeps none.
  var history: (@Sendable (RunIdentity) throws -> SQLiteLedger)?
  /// Is given the results as they come, on the thread that records.
  var whenRecorded: @Sendable ([PushResult]) -> Void = { _ in }
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
    return plan
  }

  private func perform(
    _ plan: DeliveryPlan, _ recipients: consuming sending RecipientReader, _ ledger: SQLiteLedger?
  ) throws -> Delivery {
    let credentials = try credentials ?? Self.newKey(epochSeconds)
    var results: [PushResult] = []
    let run = Run(
      plan, credentials: credentials, control: control, clock: clock,
      identity: ledger?.record.identity, early: early, links: links)
    let report = run.perform(recipients, ledger: ledger) { batch, summary in
      results += batch
      whenRecorded(batch)
    }
    let error = ledger.flatMap { close($0, report) }
    return Delivery(report: report, results: results, isResumed: ledger?.plan != nil, lost: error)
  }

  private func close(_ ledger: SQLiteLedger, _ report: Run.Report) -> HistoryError? {
    let counts = report.read
    if report.hasReadAll { ledger.listsEnded(at: UInt64(counts.pushes)) }
    let isWhole = report.hasReadAll && report.stopCause == nil
    do throws(HistoryError) {
      try ledger.finish(
        isWhole ? .finished : .interrupted, recipients: counts, summary: "{}",
        now: clock.epochMilliseconds())
      return nil
    } catch {
      return error
    }
  }

  /// Credentials with a key that nobody else has.
  static func newKey(
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
  init(_ pool: LinkPool) {
    self.init()
    (credentials, links) = (pool.credentials, pool)
  }
}
