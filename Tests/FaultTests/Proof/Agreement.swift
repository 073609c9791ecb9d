import PushModel
import SendingSupport
import Testing

// What holds of every pass that was not killed: summary, ledger and the server's journal agree.
extension Books {
  func expectAgreement() {
    for pass in passes {
      expectOneIDEach(pass)
      guard let figures = pass.figures else { continue }
      figures.expectSum()
      if !pass.isLedgerCut { expectLedger(of: pass, figures) }
      let wrong = pass.page.rows.filter { !agrees($0, pass.sights[$0.token] ?? .init()) }
      #expect(wrong.isEmpty, "\(wrong.count) rows, of which the first is \(wrong.prefix(1))")
    }
  }

  /// A push has one apns-id in a run, however often it is sent, and the answers bear it.
  private func expectOneIDEach(_ pass: Pass) {
    let torn = pass.sights.filter { $1.journalled.union($1.ids).count > runs }
    expectSame(Set(torn.keys), [])
  }

  /// The ledger's rows are what the run told, and there is one of every push that was processed.
  /// What was never claimed needs no row to be known as not attempted.
  private func expectLedger(of pass: Pass, _ figures: Figures) {
    let page = pass.page
    for outcome in Outcome.allCases {
      let count = page.count(outcome)
      #expect(page.tally[outcome, default: 0] == count, "\(outcome)")
      let isTold = outcome == .notAttempted ? count <= figures[outcome] : count == figures[outcome]
      #expect(isTold, "\(outcome): \(count) rows, \(figures[outcome]) told")
    }
    let tokens = page.tokens { _ in true }
    #expect(tokens.count == page.rows.count)
    expectSame(pass.processed().subtracting(tokens), [])
  }

  private func agrees(_ row: LedgerPage.Row, _ sight: Witness.Sight) -> Bool {
    if !hasGaps, sight.ids.count > row.attempts { return false }
    let isOnce = row.wasResentInDoubt || sight.processed <= 1
    switch row.outcome {
    case .accepted: return sight.processed >= 1 && isOnce
    case .rejected:
      return isRefused(row, sight) && (sight.processed == 0 || row.wasResentInDoubt)
    case .skipped, .deferred, .notAttempted: return sight.processed == 0 || row.wasResentInDoubt
    case .unknown: return true
    }
  }

  private func isRefused(_ row: LedgerPage.Row, _ sight: Witness.Sight) -> Bool {
    sight.refusals.contains { $0.status == row.status }
  }
}
