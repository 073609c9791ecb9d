internal import APNS
package import History
internal import PushModel
package import Reporting
package import SQLHistory

/// A continued run as recorded in the history, for result files that may lack the last commits:
/// results are committed before they are written, and the process may be killed in between.
package struct CommittedRun {
  package let history: HistoryReader
  /// The run as it was before another pass begins.
  package let entry: RunEntry
  /// Nothing is left to send, so that a file gets all results that it lacks, even if it has none.
  package var isOver = false
  /// Adds the row's values to pushes.
  var told: ([PushEntry]) -> [DescribedPush] = { $0.map { DescribedPush(entry: $0) } }

  /// The process may have been killed between a commit and writing to a file.
  var wasKilled: Bool { entry.ended == nil }

  /// The last commit up to a number; nil if there is none.
  package func commit(upTo number: Int64 = .max) throws(Failure) -> RunCommit? {
    try answered(history.commit(of: entry.run, upTo: number))
  }

  /// The oldest commit that may be incomplete in a file: the last one that the file has results of.
  /// Nil if the file has no results of the run.
  func firstLacking(in written: WrittenResults) throws(Failure) -> Int64? {
    var number = Int64.max
    while let commit = try commit(upTo: number) {
      if written.hasSome(of: commit) { return commit.number }
      number = commit.number - 1
    }
    return nil
  }

  /// The only commit of the last pass, which may have been killed before writing anything; nil if
  /// there are more.
  func onlyCommitOfKilledPass() throws(Failure) -> Int64? {
    guard wasKilled, let last = try commit() else { return nil }
    let earlier = try commit(upTo: last.number - 1)
    return earlier?.pass == last.pass ? nil : last.number
  }

  /// Calls `body` with the results of each commit from a number on.
  func forEachCommit(
    from first: Int64, _ body: ([PushEntry]) throws(Failure) -> Void
  ) throws(Failure) {
    guard let last = try commit()?.number, first <= last else { return }
    // Numbers have no gaps unless the history is damaged.
    for number in first...last {
      guard let commit = try commit(upTo: number), commit.number == number else { return }
      try body(commit.pushes)
    }
  }
}

/// The results of a run found at the end of a file.
struct WrittenResults {
  /// The maximum number of results after those of a commit: from later commits, or from the end of
  /// a run that was killed before it committed them.
  static let reserve = 8192

  private struct Result: Hashable {
    let sequence: UInt64
    let outcome: String?
    let answeredAt: Int64?
  }

  private let identity: RunIdentity
  private var results: Set<Result> = []
  private var sequences: Set<UInt64> = []

  /// The number of lines.
  private(set) var count = 0

  init(of identity: RunIdentity) { self.identity = identity }

  /// Adds a line, unless it belongs to another run.
  mutating func add(_ line: RecordLine) {
    guard let sequence = line["apnsID"].flatMap({ APNSID($0) }).flatMap(identity.sequence) else {
      return
    }
    count += 1
    sequences.insert(sequence)
    results.insert(
      Result(
        sequence: sequence, outcome: line["outcome"],
        answeredAt: line["answeredAt"].flatMap { Int64($0) }))
  }

  /// True if exactly this result is there, not just one of another pass.
  func has(_ push: PushEntry) -> Bool {
    results.contains(
      Result(
        sequence: push.sequence, outcome: push.outcome.rawValue, answeredAt: push.answeredAt))
  }

  /// True if any result of a commit is there. For results replaced since, the commit has only the
  /// push numbers.
  func hasSome(of commit: RunCommit) -> Bool {
    let isKnown = Set(commit.pushes.map(\.sequence))
    return commit.pushes.contains(where: has)
      || commit.sequences.contains { !isKnown.contains($0) && sequences.contains($0) }
  }
}

extension RunIdentity {
  /// The number of the push with an `apns-id`; nil if it belongs to another run.
  func sequence(of id: APNSID) -> UInt64? {
    if let given { return id == given ? 1 : nil }
    return id.parts.flatMap { $0.run == bits ? $0.sequence : nil }
  }
}
