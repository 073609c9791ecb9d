package import Delivery
package import PushModel
package import Testing

/// What a run reported and recorded.
package struct Delivery: Sendable {
  package let report: Run.Report
  package let results: [PushResult]
  /// Whether it was a later pass of a run: its results are not those of all pushes.
  package var isResumed = false
  /// Why the ledger could not be finished; nil when it could, or there was none.
  package var lost: HistoryError?

  package var summary: RunSummary { report.summary }

  package subscript(outcome: Outcome) -> Int { summary[outcome] }

  /// The sum that always holds, and each push recorded once.
  package func expectWhole(_ location: SourceLocation = #_sourceLocation) {
    let counts = summary.recipients
    #expect(
      counts.lines == summary.total + counts.badLines + counts.duplicates + counts.suppressed
        + counts.otherShards,
      sourceLocation: location)
    if isResumed { return }
    let sequences = results.map(\.push.sequence).sorted()
    #expect(sequences == (0..<results.count).map { UInt64($0) + 1 }, sourceLocation: location)
    for outcome in Outcome.allCases {
      let count = results.count { $0.outcome == outcome }
      #expect(summary[outcome] == count, sourceLocation: location)
    }
    #expect(
      summary.resentInDoubt == results.count(where: \.wasResentInDoubt), sourceLocation: location)
  }

  /// Accepted is what the server took, and twice at most what was sent again in doubt.
  package func expectAgreement(
    with server: TestServer, _ location: SourceLocation = #_sourceLocation
  ) {
    let processed = server.processed
    for result in results {
      let times = processed[result.push.token, default: 0]
      switch result.outcome {
      case .accepted where result.wasResentInDoubt:
        #expect(times >= 1, sourceLocation: location)
      case .accepted: #expect(times == 1, sourceLocation: location)
      case .unknown: break
      default: #expect(times == 0, sourceLocation: location)
      }
    }
  }
}
