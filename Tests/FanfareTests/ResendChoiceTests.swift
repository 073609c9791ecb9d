import APNS
import Testing

@testable import PushCore
@testable import fanfare

@Suite("Which pushes of a run are sent again")
struct ResendChoiceTests {
  private func entry(atMostOnce: Bool = false, state: RunState = .finished) throws -> RunEntry {
    let identity = RunIdentity(given: nil, bits: APNSID.RunBits(1, 2))
    var record = RunRecord(started: 0, environment: "sandbox", version: "1", identity: identity)
    record.atMostOnce = atMostOnce
    return RunEntry(
      run: try #require(RunNumber(rawValue: 12)), record: record, state: state, ended: 1,
      tally: OutcomeTally(), recipients: .init(), claimed: 0, summary: nil, resumptions: 0)
  }

  private func push(
    _ outcome: Outcome, _ response: Response?, registered: Int64? = nil
  ) throws -> PushEntry {
    PushEntry(
      run: try #require(RunNumber(rawValue: 12)), sequence: 1,
      apnsID: try #require(APNSID("6b1f0c52-93a7-4e1d-8d2c-000000000001")), token: "ab12",
      list: "a.txt", line: 1, outcome: outcome, response: response, attempts: 1,
      wasResentInDoubt: false, latencyMicroseconds: nil, at: 0, registered: registered, pass: 0)
  }

  @Test("without more words: what was not accepted, but nothing unknown of at most once")
  func usual() throws {
    let usual = ResendChoice(only: [], entry: try entry())
    #expect(usual.filter.outcomes == [.rejected, .deferred, .unknown, .notAttempted])
    let once = ResendChoice(only: [], entry: try entry(atMostOnce: true))
    #expect(once.filter.outcomes == [.rejected, .deferred, .notAttempted])
    let asked = ResendChoice(only: [.unknown], entry: try entry(atMostOnce: true))
    #expect(asked.filter.outcomes == [.unknown])
  }

  static let answers: [(reason: Reason, timestamp: Int64?, registered: Int64?, isDead: Bool)] = [
    (.unregistered, nil, nil, true), (.expiredToken, nil, nil, true),
    (.badDeviceToken, nil, nil, true), (.payloadTooLarge, nil, nil, false),
    (.unregistered, 5_000_000, 4_999, true), (.unregistered, 5_000_000, 5_001, false),
  ]

  @Test("who is not known (any more) is left out unless asked for", arguments: answers)
  func dead(
    _ row: (reason: Reason, timestamp: Int64?, registered: Int64?, isDead: Bool)
  ) throws {
    let status = try #require(row.reason.info).status
    let response = Response(status: status, reason: row.reason, timestamp: row.timestamp)
    let push = try push(.rejected, response, registered: row.registered)
    #expect(ResendChoice(only: [], entry: try entry()).leavesOut(push) == row.isDead)
    #expect(ResendChoice(only: [.deferred], entry: try entry()).leavesOut(push) == row.isDead)
    #expect(!ResendChoice(only: [.rejected], entry: try entry()).leavesOut(push))
    #expect(!ResendChoice(push: push, only: [], entry: try entry()).leavesOut(push))
  }

  @Test("is told in full sentences")
  func told() throws {
    func text(_ count: Int, _ leftOut: Int = 0, _ state: RunState = .finished) throws -> String {
      ResendText(
        entry: try entry(state: state), count: count, leftOut: leftOut, isDryRun: false
      ).text
    }
    #expect(try text(0) == "Run 12 has no push that fits: nothing is sent.\n")
    #expect(try text(1) == "1 push of run 12 is sent again.\n")
    #expect(try text(4000) == "4,000 pushes of run 12 are sent again.\n")
    #expect(try text(2, 3).contains("does not know the device token: 3. --only rejected"))
    #expect(try text(2, 0, .interrupted).contains("'fanfare resume 12'"))
  }
}
