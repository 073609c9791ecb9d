import SendingSupport

/// How things stood when a pass had ended.
struct Pass {
  var figures: Figures?
  var ending: String
  var page: LedgerPage
  var sights: [String: Witness.Sight]
  var isLedgerCut = false

  /// The device tokens of those that were processed at least so often.
  func processed(times: Int = 1) -> Set<String> {
    Set(sights.filter { $1.processed >= times }.keys)
  }

  /// How many pushes were processed again.
  var again: Int { sights.processedAgain }
}
