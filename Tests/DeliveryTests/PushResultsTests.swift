import APNS
import PushModel
import SendingSupport
import Testing

@testable import Delivery

@Suite("Results that cross from connection to recorder")
struct PushResultsTests {
  private func text(_ results: some Sequence<PushResult>) -> [String] {
    results.map {
      let attempts = "\($0.attempts) \($0.wasResentInDoubt)"
      let times = "\($0.latencyMicroseconds ?? -1) \($0.answeredAt ?? -1)"
      return
        "\($0.push.sequence) \($0.outcome) \($0.response?.status.rawValue ?? 0) \(attempts) \(times)"
    }
  }

  @Test("They stay in order, whatever their form")
  func order() throws {
    let pushes = try Push.samples(PushChunk.capacity + 3)
    var (results, expected) = (PushResults(), [PushResult]())
    #expect(results.isEmpty && results.last == nil && Array(results).isEmpty)
    // The chunks take turns, and every third push was refused.
    for index in [0, 1, 2, 256, 3, 257, 258, 4, 5, 6] {
      let push = pushes[index]
      if index.isMultiple(of: 3) {
        expected.append(push.result(.rejected, .gone, latency: 7, at: dawn))
        results.append(expected[expected.count - 1])
      } else {
        let accepted = AcceptedPush(
          index: push.index, latencyMicroseconds: 1500, answeredAt: dawn + 1000)
        results.append(accepted, of: push.chunk)
        expected.append(push.accepted)
      }
      #expect(results.last?.push.sequence == push.sequence)
    }
    #expect(results.count == 10 && !results.isEmpty)
    #expect(text(results) == text(expected))
    #expect(results.accepted.count + results.others.count == 10)
    #expect(text(results.parts.flatMap { results.results(of: $0) }) == text(expected))
    #expect(text(PushResults(expected)) == text(expected))
  }

  @Test("Pushes of a chunk that follow one another are one part")
  func parts() throws {
    let pushes = try Push.samples(PushChunk.capacity + 1)
    var results = PushResults()
    for push in pushes {
      let accepted = AcceptedPush(index: push.index, latencyMicroseconds: 1, answeredAt: 2)
      results.append(accepted, of: push.chunk)
    }
    #expect(results.parts.map(\.places) == [0..<256, 256..<257])
  }

  @Test("Figures and notes are the same as those of whole results")
  func figures() throws {
    let push = try #require(try Push.samples(3).last)
    let accepted = AcceptedPush(
      index: push.index, latencyMicroseconds: 1500, answeredAt: dawn + 1000)
    #expect(AnswerNote(accepted, of: push.chunk) == AnswerNote(push.accepted))
    var results = PushResults()
    results.append(accepted, of: push.chunk)
    results.append(push.result(.rejected, .gone, latency: 7))
    var (one, other) = (RunSummary(), RunSummary())
    one.add(results)
    for result in results { other.add(result) }
    #expect(one == other)
  }

  @Test("Acceptances that follow one another are one answer, which counts as often")
  func answers() {
    var answers: [Breaker.Answer] = []
    for _ in 0..<30 { answers.addAccepted(of: nil) }
    answers.append(Breaker.Answer(response: .gone))
    for _ in 0..<2 { answers.addAccepted(of: nil) }
    #expect(answers.map(\.count) == [30, 1, 2])
    let control = RunControl()
    control.answered(answers)
    #expect(control.soundAnswers == 33)
  }

  @Test("A breaker counts them one by one", arguments: [1, 19, 20, 21, 30, 500])
  func breaker(count: Int) {
    let bad = Breaker.Answer(response: Response(status: .badRequest, reason: .badDeviceToken))
    let accepted = Breaker.Answer(response: .yes)
    var (one, other) = (Breaker(), Breaker())
    for _ in 0..<180 {
      #expect(!one.answered(bad) && !other.answered(bad))
    }
    var many = accepted
    many.count = count
    let trips = one.answered(many)
    let tripsSingly = (0..<count).contains { _ in other.answered(accepted) }
    #expect(trips == tripsSingly && trips == (count >= 20))
    #expect(one.counters == other.counters)
  }
}
