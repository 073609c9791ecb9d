import APNS
import CommandLineKit
import PushModel
import Testing

@testable import FanfareCLI
@testable import Runs

@Suite("What is left of a run")
struct RunRestTests {
  /// Five pushes are done, one is deferred until later, one was not attempted.
  private func rest(
    last: UInt64?, environment: String = "sandbox", began: Int64 = 1_699_999_000
  ) throws -> RunRemainder {
    let identity = RunIdentity(given: nil, bits: APNSID.RunBits(1, 2))
    var record = RunRecord(
      started: began * 1000, environment: environment, version: "1", identity: identity)
    record.topic = "com.example.app"
    var tally = OutcomeTally()
    (tally.accepted, tally.skipped, tally.deferred, tally.notAttempted) = (4, 1, 1, 1)
    let plan = ResumePlan(
      run: try #require(RunNumber(rawValue: 12)), record: record, tally: tally, recipients: .init(),
      claimed: 7, last: last, claimedWithoutResult: 0, deferredDue: 0, nextDue: 1, firstDue: 1,
      resendsUnknown: true, claimedAgain: 0, wasFinished: false, horizon: 0)
    let options = try SendCommand.parse(["--env", environment]).options
    return RunRemainder(
      plan: plan, server: try ServerChoice(options, context()), now: presentSecond)
  }

  @Test("is told with the run's time and app, and counted once its lists were read")
  func told() throws {
    let start = "Run 12 of 2023-11-14T21:56:40Z: com.example.app, sandbox; 5 pushes are done, "
    #expect(try rest(last: 10).text == start + "4 are left, 1 more not yet due.")
    #expect(try rest(last: 7).text == start + "1 is left, 1 more not yet due.")
    #expect(
      try rest(last: nil).text == start + "its lists were not read to the end, 1 more not yet due.")
  }

  @Test("is confirmed in production, and after a day")
  func consent() throws {
    #expect(try !rest(last: 7).needsConsent)
    #expect(try rest(last: 7, environment: "production").needsConsent)
    #expect(try !rest(last: 7, began: presentSecond - 86_400).needsConsent)
    #expect(try rest(last: 7, began: presentSecond - 86_401).needsConsent)
  }
}
