import PushModel
import SendingSupport
import Testing

/// The books of one run on both sides: what the client told and wrote down, and what the server
/// saw and did.
final class Books {
  let witness = Witness()
  let exposure = Exposure()
  /// The client's history.
  let history: String

  /// The device tokens that are to be sent to.
  var recipients: Set<String> = []
  /// What becomes of them in the end; nil when all are accepted.
  var expected: [Outcome: Int]?
  /// The statuses of answers after which a push that arrives nowhere is not lost.
  var refusals: Set<Int> = []
  /// What the end of a run must name.
  var causes: [String] = []
  /// How many requests the server may see of a run in which nothing was sent.
  var requestsAllowed = 0
  /// How many runs send the same pushes. Each gives them an apns-id of its own.
  var runs = 1
  /// Whether attempts were made that are written down nowhere, because a process was killed or the
  /// history could take no more.
  private(set) var hasGaps = false

  private(set) var passes: [Pass] = []

  init(history: String) { self.history = history }

  /// Notes how a pass ended.
  ///
  /// - Parameters:
  ///   - figures: nil when its process was killed.
  ///   - ending: what it said of its end.
  ///   - isLedgerCut: whether results are elsewhere, because the history could not take them.
  func note(
    _ figures: Figures?, _ ending: String, run: Int64? = nil, isLedgerCut: Bool = false
  ) throws {
    let page = try LedgerPage(history, run: run)
    // Who resumes knows the ledger only.
    if isLedgerCut, let figures { exposure.add(figures[.accepted] - page.count(.accepted)) }
    if isLedgerCut || figures == nil { hasGaps = true }
    passes.append(
      Pass(
        figures: figures, ending: ending, page: page, sights: witness.sights,
        isLedgerCut: isLedgerCut))
  }

  /// The last pass.
  var last: Pass { get throws { try #require(passes.last) } }
}
