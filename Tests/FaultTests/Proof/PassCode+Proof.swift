import PushModel
import SendingSupport
import Testing

// One function for each code: the only ones that say whether a case has passed.
extension PassCode {
  func prove(_ bench: some Bench) throws {
    switch self {
    case .exactlyOnce: try proveExactlyOnce(bench.books)
    case .atLeastOnce: try proveAtLeastOnce(bench)
    case .nothingSent: try proveNothingSent(bench.books)
    case .boundedEnd: try proveBoundedEnd(bench)
    }
    bench.books.expectAgreement()
  }

  private func proveExactlyOnce(_ books: Books) throws {
    let last = try books.last
    let figures = try #require(last.figures, "it was killed")
    let expected = books.expected ?? [.accepted: books.recipients.count]
    for outcome in Outcome.allCases {
      #expect(figures[outcome] == expected[outcome, default: 0], "\(outcome) after \(last.ending)")
    }
    #expect(figures.resentInDoubt == 0)
    expectSame(last.processed(times: 2), [])
    let accepted = last.page.tokens { $0.outcome == .accepted }
    // Without a ledger the figures are all there is.
    expectSame(last.processed(), last.isLedgerCut ? books.recipients : accepted)
    expectSame(last.processed().subtracting(books.recipients), [])
  }

  private func proveAtLeastOnce(_ bench: some Bench) throws {
    try bench.finish()
    let last = try bench.books.last
    let figures = try #require(last.figures, "it was killed")
    #expect(figures.unfinished == 0, "\(figures.outcomes) after \(last.ending)")
    let refusals = bench.books.refusals
    let refused = last.page.tokens { row in
      row.outcome == .skipped
        || row.outcome == .rejected && refusals.contains(row.status ?? 0)
    }
    expectSame(bench.books.recipients.subtracting(last.processed()).subtracting(refused), [])
    let hasGaps = bench.books.hasGaps
    let listed = last.page.tokens { $0.wasResentInDoubt && ($0.attempts > 1 || hasGaps) }
    expectSame(last.processed(times: 2).subtracting(listed), [])
    #expect(last.again <= bench.books.exposure.count)
  }

  private func proveNothingSent(_ books: Books) throws {
    let last = try books.last
    expectSame(last.processed(), [])
    #expect(last.figures?[.accepted] ?? 0 == 0 && last.page.count(.accepted) == 0)
    #expect(books.witness.requests <= books.requestsAllowed)
    #expect(!books.causes.isEmpty, "a case says which cause is named")
    for cause in books.causes {
      #expect(last.ending.contains(cause), "\(cause) is missing in: \(last.ending)")
    }
  }

  private func proveBoundedEnd(_ bench: some Bench) throws {
    let first = try #require(bench.books.passes.first)
    let figures = try #require(first.figures, "it was killed")
    #expect(figures.unfinished > 0, "nothing was left to do")
    for cause in bench.books.causes {
      #expect(first.ending.contains(cause), "\(cause) is missing in: \(first.ending)")
    }
    try proveAtLeastOnce(bench)
  }
}
