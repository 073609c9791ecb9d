import PushModel
import SendingSupport

@testable import SQLHistory

extension SQLLedger {
  /// Ends a run whose lists were read.
  func finishAll(_ count: Int, at time: Int64 = dawn + 2000) throws {
    listsEnded(at: UInt64(count))
    var counts = RecipientCounts()
    counts.lines = count
    try finish(RunEnding(.finished, recipients: counts, at: time))
  }
}
