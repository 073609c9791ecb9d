import APNS
import CommandLineKit
import Foundation
import HTTP2
import PushModel
import Runs
import Settings

@testable import Delivery
@testable import Reporting

/// A context with these variables, a clock that stands still, and nobody to write to, unless there is
/// a place for data or errors.
func context(
  _ environment: [String: String] = [:], output: Output? = nil, errors: Output? = nil,
  localOffset: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
) -> Context {
  let nowhere = Output(
    descriptor: open("/dev/null", O_WRONLY | O_CLOEXEC), environment: [:], closesDescriptor: true)
  return Context(
    environment: environment, output: output ?? nowhere, errors: errors ?? nowhere,
    clock: stoppedClock, localOffset: localOffset)
}

/// What a draft is made of: options, and the first step of a scenario below them.
func draftAssembly(
  _ options: Settings, _ scenario: Scenario?, _ context: Context
) throws -> DraftAssembly {
  let step = scenario?.steps.first
  let layer = step.flatMap { scenario?.settings(for: $0) } ?? Settings()
  return DraftAssembly(try options.merged(over: layer, context), else: step?.payload, context)
}

/// Seconds since 1970 by the clock of ``context(_:)``.
let presentSecond: Int64 = 1_700_000_000

private let stoppedClock = RunClock(
  monotonic: { 0 }, epochMilliseconds: { presentSecond * 1000 }, random: { 7 })

/// Results of one run: the outcomes, each with its answer.
func results(
  _ rows: [(Outcome, Response?)], list: String = "beta.txt", problems: [Int: BrokenRules] = [:]
) -> [PushResult] {
  let digits = rows.indices.map { Array("0a1b2c3d4e5f\(10 + $0)".utf8) }
  var columns = PushChunk.Columns()
  columns.lines = rows.indices.map { 2 * $0 + 1 }
  columns.tokens = Array(digits.joined())
  columns.tokenEnds = rows.indices.map { 14 * ($0 + 1) }
  columns.problems = problems
  let chunk = PushChunk(firstSequence: 1, list: list, columns)
  return rows.enumerated().map { index, row in
    PushResult(
      push: chunk.push(at: index), outcome: row.0, response: row.1, attempts: row.1 == nil ? 0 : 1,
      wasResentInDoubt: false, latencyMicroseconds: row.1.map { _ in 1250 },
      answeredAt: row.1.map { _ in presentSecond * 1000 })
  }
}

/// The result of the only push of a run, which went to ``sampleChannel``.
func toChannel(_ outcome: Outcome, _ response: Response? = .good) -> PushResult {
  var builder = PushChunkBuilder()
  builder.begin(list: "--channel", channel: sampleChannel)
  builder.append(token: UnsafeBufferPointer(start: nil, count: 0), line: 1)
  return PushResult(
    push: builder.take().push(at: 0), outcome: outcome, response: response, attempts: 1,
    wasResentInDoubt: false, latencyMicroseconds: 1250, answeredAt: presentSecond * 1000)
}

/// The ID of a channel.
let sampleChannel = "dHN0LXNyY2gtY2hubA=="

/// The report of a run with these results.
func report(
  _ results: [PushResult], badLines: Int = 0, duplicates: Int = 0, suppressed: Int = 0,
  otherShards: Int = 0, stopCause: StopCause? = nil
) -> Run.Report {
  var summary = RunSummary()
  for result in results { summary.add(result) }
  summary.recipients = RecipientCounts(
    lines: results.count + badLines + duplicates + suppressed + otherShards, badLines: badLines,
    duplicates: duplicates, suppressed: suppressed, otherShards: otherShards)
  summary.seconds = 2
  return Run.Report(
    summary: summary, stopCause: stopCause, onlyResult: results.count == 1 ? results.first : nil,
    identity: RunIdentity(given: nil, stoppedClock), read: summary.recipients, hasReadAll: true)
}

extension Response {
  /// 200, as the sandbox answers it.
  static let good = Response(status: .accepted, uniqueID: "9A7B1C00-0000-0000-0000-000000000001")
  /// 410 with the time of its end.
  static let dead = Response(
    status: .gone, reason: .unregistered, timestamp: 1_690_000_000_000)
  /// 403 for a key that the team does not have.
  static let wrongKey = Response(status: .forbidden, reason: .invalidProviderToken)
}
