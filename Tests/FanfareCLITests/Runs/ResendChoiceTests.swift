import APNS
import History
import Reporting
import Testing

@testable import PushModel
@testable import Runs
@testable import Settings

@Suite("Which pushes of a run are sent again")
struct ResendChoiceTests {
  private func entry(
    atMostOnce: Bool = false, state: RunState = .finished, _ tally: OutcomeTally = OutcomeTally()
  ) throws -> RunEntry {
    let identity = RunIdentity(given: nil, bits: APNSID.RunBits(1, 2))
    var record = RunRecord(started: 0, environment: "sandbox", version: "1", identity: identity)
    record.atMostOnce = atMostOnce
    return RunEntry(
      run: try #require(RunNumber(rawValue: 12)), record: record, state: state, ended: 1,
      tally: tally, recipients: .init(), claimed: 0, last: 0, resumptions: 0)
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

  @Test("needs a history, and says why there is none")
  func noHistory() throws {
    var unrecorded = Settings()
    unrecorded.keepsHistory = Setting(false, .setting("--no-history"))
    for (settings, fragment) in [(Settings(), "nor HOME"), (unrecorded, "not recorded")] {
      let failure = #expect(throws: Failure.self) { try settings.usedHistoryPath(context()) }
      #expect(failure?.sentence.contains(fragment) == true)
    }
  }

  @Test("without more words: what was not accepted, but nothing unknown of at most once")
  func usual() throws {
    let usual = ResendChoice(only: [], entry: try entry(), now: 0)
    #expect(usual.filter.outcomes == [.rejected, .deferred, .unknown, .notAttempted])
    let once = ResendChoice(only: [], entry: try entry(atMostOnce: true), now: 0)
    #expect(once.filter.outcomes == [.rejected, .deferred, .notAttempted])
    let asked = ResendChoice(only: [.unknown], entry: try entry(atMostOnce: true), now: 0)
    #expect(asked.filter.outcomes == [.unknown])
    let told = ResendChoice(only: [], entry: try entry(), now: 0, asksForAtMostOnce: true)
    #expect(told.filter.outcomes == [.rejected, .deferred, .notAttempted])
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
    let reason: ResendChoice.LeftOut? = row.isDead ? .deadToken : nil
    func left(_ only: [Outcome], _ named: PushEntry? = nil) throws -> ResendChoice.LeftOut? {
      ResendChoice(push: named, only: only, entry: try entry(), now: 0).reason(toLeaveOut: push)
    }
    #expect(try left([]) == reason && left([.deferred]) == reason)
    #expect(try left([.rejected]) == nil && left([], push) == nil)
  }

  @Test("with reasons: those pushes alone, even if APNs does not know the device token")
  func reasons() throws {
    let choice = ResendChoice(only: [], reasons: ["unregistered"], entry: try entry(), now: 0)
    #expect(choice.filter.reasons == ["unregistered"])
    #expect(choice.filter.outcomes == [.rejected, .deferred, .unknown, .notAttempted])
    let status = try #require(Reason.unregistered.info).status
    let dead = Response(status: status, reason: .unregistered, timestamp: nil)
    #expect(choice.reason(toLeaveOut: try push(.rejected, dead)) == nil)
    #expect(choice.reason(toLeaveOut: try push(.rejected, dead), .accepted) == .accepted)
  }

  @Test("what a later resend got accepted is told as that, even if its device token was dead")
  func acceptedLater() throws {
    let dead = try push(.rejected, Response(status: .gone, reason: .unregistered))
    var choice = ResendChoice(only: [], entry: try entry(), now: 0)
    #expect(choice.reason(toLeaveOut: dead, .accepted) == .accepted)
    choice.includesResent = true
    #expect(choice.reason(toLeaveOut: dead, .accepted) == .deadToken)
    choice.only = [.rejected]
    #expect(choice.reason(toLeaveOut: dead, .accepted) == nil)
  }

  @Test("what may have arrived is left out, unless what is unknown is asked for")
  func inDoubt() throws {
    let unknown = try push(.unknown, nil)
    var choice = ResendChoice(only: [], entry: try entry(atMostOnce: true), now: 0)
    #expect(choice.reason(toLeaveOut: unknown, .inDoubt) == .inDoubt)
    choice.only = [.deferred]
    #expect(choice.reason(toLeaveOut: unknown, .inDoubt) == .inDoubt)
    choice.only = [.unknown]
    #expect(choice.reason(toLeaveOut: unknown, .inDoubt) == nil)
    #expect(choice.reason(toLeaveOut: unknown, .accepted) == .accepted)
  }

  @Test("what was refused with its key is open as long as the run has more to send")
  func refusedKey() throws {
    let refused = try push(.rejected, .wrongKey)
    var counts = OutcomeTally()
    #expect(try !entry(counts).sends(refused, at: 0))
    #expect(try entry(state: .interrupted, counts).sends(refused, at: 0))
    counts.deferred = 1
    #expect(try entry(counts).sends(refused, at: 0))
  }

  @Test("names the option that is missing in a command, when the time to deliver has passed")
  func expired() throws {
    let run = try #require(RunNumber(rawValue: 12))
    var resend = Resend()
    (resend.place, resend.only) = (.run(run), [.skipped])
    (resend.reasons, resend.limit) = (["BadTopic"], 5)
    let sentences = Failure.expired(run, at: 0, command: resend.command)
    #expect(
      sentences.fix.hasSuffix(
        ": fanfare history resend 12 --only skipped --reason BadTopic --limit 5 "
          + "--expiration 1h"))
  }

  @Test("is told in full sentences")
  func told() throws {
    func text(_ count: Int, _ leftOut: Int = 0, _ state: RunState = .finished) throws -> String {
      ResendText(
        choice: ResendChoice(only: [], entry: try entry(state: state), now: 0),
        tally: ResendTally(sent: count, leftOut: [.deadToken: leftOut]), isDryRun: false
      ).text
    }
    #expect(try text(0) == "No push of run 12 matches: nothing is sent.")
    #expect(try text(1) == "1 push of run 12 is sent again.")
    #expect(try text(4000) == "4,000 pushes of run 12 are sent again.")
    #expect(try text(2, 3).contains("does not know the device token: 3. Use --only rejected"))
    #expect(try text(2, 0, .interrupted).contains("'fanfare resume 12'"))
    #expect(try text(0, 0, .running).contains("'fanfare resume 12' continues it"))
  }

  @Test("names what was left out although it fits, and the option that takes it")
  func leftOut() throws {
    var counts = OutcomeTally()
    (counts.unknown, counts.skipped) = (3, 4)
    let entry = try entry(atMostOnce: true, counts)
    func text(_ only: [Outcome], _ tally: ResendTally) -> String {
      ResendText(
        choice: ResendChoice(only: only, entry: entry, now: 0), tally: tally, isDryRun: false
      ).text
    }
    let nothing = text([], ResendTally())
    #expect(nothing.contains("at most once: 3. Use --only unknown"))
    #expect(nothing.contains("4. Use --only sk"))
    #expect(!text([.rejected], ResendTally()).contains("--only"))
    let before = [try #require(RunNumber(rawValue: 19)): 3]
    let again = text([], ResendTally(sent: 5, sentBefore: before, leftOut: [.accepted: 2]))
    #expect(again.contains("Of these, resent before: 3 by run 19."))
    #expect(again.contains("got it accepted: 2. Use --include-resent to include them."))
    #expect(!again.contains("skipped"))
    var doubtful = ResendTally(sent: 5)
    for sequence in [3, 7, 8] as [UInt64] { doubtful.inDoubt.add(sequence) }
    let twice =
      "At most 3 pushes of these may have been sent without an answer, and may arrive twice:"
    #expect(text([], doubtful).contains("\(twice)\n  3\n  7-8\n"))
    let limited = text([], ResendTally(sent: 5, isCutOff: true))
    #expect(limited.contains("\n--limit leaves out the others.\n"))
  }
}
