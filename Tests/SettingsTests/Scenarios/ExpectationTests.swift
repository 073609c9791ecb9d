import APNS
import PushModel
import Testing

@testable import Settings
@testable import struct Settings.Expectation

@Suite("What must come back")
struct ExpectationTests {
  @Test("A share that was accepted is one of all lines")
  func share() {
    let summary = figures([(.accepted, nil, 19), (.rejected, .unregistered, 1)])
    #expect(misses(summary) { $0.acceptedAtLeast = 0.95 }.isEmpty)
    #expect(
      misses(summary) { $0.acceptedAtLeast = 0.96 } == [
        .accepted(
          wanted: 0.96, got: 19, of: 20, others: [.init(value: Self.unregistered, count: 1)])
      ])
    #expect(
      misses(figures([])) { $0.acceptedAtLeast = 0 } == [
        .accepted(wanted: 0, got: 0, of: 0, others: [])
      ])
  }

  @Test("A bad line is one that was not accepted, and a list that was left out misses nothing")
  func lines() {
    var bad = figures([(.accepted, nil, 1)])
    (bad.recipients.lines, bad.recipients.badLines) = (2, 1)
    #expect(
      misses(bad) { $0.acceptedAtLeast = 1 } == [
        .accepted(wanted: 1, got: 1, of: 2, others: [.init(value: .badLine, count: 1)])
      ])
    #expect(misses(bad) { $0.status = .accepted }.count == 1)
    var omitted = RunSummary()
    (omitted.recipients.lines, omitted.recipients.suppressed) = (3, 3)
    let all: (inout Expectation) -> Void = {
      $0.acceptedAtLeast = 1
      $0.status = .accepted
      $0.latencyP99Below = 50
    }
    #expect(misses(omitted, all).isEmpty)
    #expect(misses(RunSummary(), all).count == 2)
  }

  @Test("A status is that of every push; what has none is told of")
  func status() {
    let summary = figures([
      (.accepted, nil, 2), (.rejected, .unregistered, 3), (.unknown, nil, 1),
    ])
    #expect(misses(figures([(.accepted, nil, 2)])) { $0.status = .accepted }.isEmpty)
    #expect(
      misses(summary) { $0.status = .accepted } == [
        .status(
          wanted: .accepted,
          got: [
            .init(value: Self.unregistered, count: 3), .init(value: .outcome(.unknown), count: 1),
          ])
      ])
    #expect(
      misses(figures([(.rejected, .unregistered, 3)])) { $0.status = .gone }.isEmpty)
  }

  @Test("Answers are told apart by status and reason, the most frequent first, then by name")
  func answers() {
    let summary = figures([
      (.rejected, .badDeviceToken, 1), (.accepted, nil, 1), (.rejected, .unregistered, 2),
    ])
    let bad = UnmetExpectation.Came.answer(status: .badRequest, reason: .badDeviceToken)
    #expect(
      misses(summary) { $0.reason = .badTopic } == [
        .reason(
          wanted: .badTopic,
          got: [
            .init(value: Self.unregistered, count: 2), .init(value: .accepted, count: 1),
            .init(value: bad, count: 1),
          ])
      ])
    #expect(summary.notAccepted.map(\.value) == [Self.unregistered, bad])
  }

  private static let unregistered = UnmetExpectation.Came.answer(
    status: .gone, reason: .unregistered)

  @Test("Beside a share, status and reason are those of the pushes that were not accepted")
  func others() {
    let summary = figures([(.accepted, nil, 9), (.rejected, .unregistered, 1)])
    let both: (inout Expectation) -> Void = {
      $0.acceptedAtLeast = 0.9
      $0.reason = .unregistered
      $0.status = .gone
    }
    #expect(misses(summary, both).isEmpty)
    #expect(misses(summary) { $0.reason = .unregistered }.count == 1)
    let other = figures([(.accepted, nil, 9), (.rejected, .badDeviceToken, 1)])
    #expect(misses(other, both).count == 2)
  }

  @Test("The slowest of a hundred has to stay below a time, and something has to be answered")
  func latency() {
    var summary = RunSummary()
    #expect(misses(summary) { $0.latencyP99Below = 50 } == [.latency(wanted: 50, got: nil)])
    summary.add(result(.accepted, nil, microseconds: 40_000))
    #expect(misses(summary) { $0.latencyP99Below = 50 }.isEmpty)
    #expect(misses(summary) { $0.latencyP99Below = 40 }.count == 1)
  }

  private func misses(
    _ summary: RunSummary, _ change: (inout Expectation) -> Void
  ) -> [UnmetExpectation] {
    var expectation = Expectation(origin: .file("s.json5"))
    change(&expectation)
    return expectation.misses(in: summary)
  }

  private func figures(_ rows: [(Outcome, Reason?, Int)]) -> RunSummary {
    var summary = RunSummary()
    for (outcome, reason, count) in rows {
      for _ in 0..<count { summary.add(result(outcome, reason)) }
    }
    return summary
  }

  private func result(
    _ outcome: Outcome, _ reason: Reason?, microseconds: Int? = nil
  ) -> PushResult {
    var columns = PushChunk.Columns()
    (columns.lines, columns.tokens, columns.tokenEnds) = ([1], Array("0a1b".utf8), [4])
    let refused = reason.map { Response(status: $0.info?.status ?? .badRequest, reason: $0) }
    return PushResult(
      push: PushChunk(firstSequence: 1, list: "a.txt", columns).push(at: 0), outcome: outcome,
      response: outcome == .accepted ? Response(status: .accepted) : refused, attempts: 1,
      wasResentInDoubt: false, latencyMicroseconds: microseconds, answeredAt: nil)
  }
}
