import APNS
import HTTP2
import PushModel

@testable import Delivery
@testable import History
@testable import Runs
@testable import Settings

/// A push of a history.
func entry(
  _ outcome: Outcome = .accepted, _ response: Response? = .good, sequence: UInt64 = 1,
  run: Int64 = 1, token: String = sampleToken, list: String = "beta.csv", attempts: Int = 1,
  latency: Int? = 1250, at: Int64 = presentSecond * 1000, channel: String? = nil
) -> PushEntry {
  PushEntry(
    run: runNumber(run), sequence: sequence,
    apnsID: sampleIdentity.apnsID(ofSequence: sequence), token: channel == nil ? token : "",
    channel: channel, list: list, line: 2, outcome: outcome, response: response, attempts: attempts,
    wasResentInDoubt: false,
    latencyMicroseconds: response == nil ? nil : latency, at: at, registered: nil, pass: 0)
}

/// A run of a history.
func run(
  _ number: Int64 = 1, environment: String = "sandbox",
  server: String? = "https://127.0.0.1:2197",
  headers: String = #"{"apns-push-type":"alert","apns-topic":"com.example.shop"}"#,
  payload: String = #"{"aps":{"alert":"It's time"}}"#, settings: Settings = Settings(),
  tally: OutcomeTally = OutcomeTally(), channel: String? = nil
) -> StoredRun {
  var record = RunRecord(
    started: presentSecond * 1000, environment: environment, version: "0.1.0",
    identity: sampleIdentity)
  record.server = server
  record.headers = headers
  record.payload = payload
  record.pushType = "alert"
  record.topic = "com.example.shop"
  record.channel = channel
  record.settings =
    RunInputs(
      settings: settings, folder: "/home/ada", recipients: [], suppressed: [], isTemplate: false
    ).json
  return StoredRun(
    RunEntry(
      run: runNumber(number), record: record, state: .finished, ended: nil,
      tally: tally, recipients: RecipientCounts(), claimed: tally.total, last: tally.total,
      resumptions: 0))
}

/// The request of a push with the run's own payload.
func request(_ push: PushEntry, _ run: StoredRun) -> StoredRequest {
  StoredRequest(of: push, in: run, body: .payload(run.payload))
}

/// The request of a push whose list has changed.
func lostRequest(_ push: PushEntry, _ run: StoredRun) -> StoredRequest {
  StoredRequest(
    of: push, in: run, body: .lost(.listChanged(path: "beta.csv"), template: run.payload))
}

/// A reason that nobody should run: a server may answer anything.
let hostileReason = Reason(rawValue: "</script><script>alert(1)</script>&\"'")

let sampleToken = String(repeating: "0a1b2c3d", count: 8)

private let sampleIdentity = RunIdentity(
  given: nil, RunClock(monotonic: { 0 }, epochMilliseconds: { 0 }, random: { 7 }))

private func runNumber(_ number: Int64) -> RunNumber {
  guard let number = RunNumber(rawValue: number) else { preconditionFailure("no run") }
  return number
}
