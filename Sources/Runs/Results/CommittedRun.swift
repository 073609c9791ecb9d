internal import APNS
package import History
internal import PushModel
package import Reporting

/// A run that goes on, as the history knows it: for files to which its results were written, and
/// which may lack those of the last commits. Results are committed first, and a kill may come between.
package struct CommittedRun {
  package let history: any HistoryStore
  /// The run before another pass of it begins.
  package let entry: RunEntry
  /// Adds what the rows of pushes say.
  var told: ([PushEntry]) -> [ToldPush] = { $0.map { ToldPush(entry: $0) } }

  /// Whether a kill may have come between a commit and a file.
  var wasKilled: Bool { entry.ended == nil }

  /// The last commit up to a number; nil when there is none.
  package func commit(upTo number: Int64 = .max) throws(Failure) -> RunCommit? {
    do throws(HistoryError) {
      return try history.commit(of: entry.run, upTo: number)
    } catch {
      throw .history(error)
    }
  }

  /// The oldest commit of which a file may lack something: the last one that it has something of. Nil
  /// when the file has nothing of the run.
  func firstLacking(in written: WrittenResults) throws(Failure) -> Int64? {
    var number = Int64.max
    while let commit = try commit(upTo: number) {
      if written.hasSome(of: commit) { return commit.number }
      number = commit.number - 1
    }
    return nil
  }

  /// The only commit of the last pass, which may have been killed before it wrote anything; nil when
  /// there are more.
  func onlyCommitOfKilledPass() throws(Failure) -> Int64? {
    guard wasKilled, let last = try commit() else { return nil }
    let earlier = try commit(upTo: last.number - 1)
    return earlier?.pass == last.pass ? nil : last.number
  }

  /// Hands out the results that a file lacks, a commit at a time.
  func forEachLacking(
    from first: Int64, in written: WrittenResults, _ body: ([PushEntry]) -> Void
  ) throws(Failure) {
    guard let last = try commit()?.number, first <= last else { return }
    // Their numbers have no gaps, except in a history that is damaged.
    for number in first...last {
      guard let commit = try commit(upTo: number), commit.number == number else { return }
      body(commit.pushes.filter { !written.has($0) })
    }
  }
}

/// The results of a run at the end of a file.
struct WrittenResults {
  /// How many may come behind those of a commit: of the commits that follow it, and of the end of a run
  /// that was killed before it wrote them down.
  static let reserve = 8192

  private struct Result: Hashable {
    let sequence: UInt64
    let outcome: String?
    let answeredAt: Int64?
  }

  private let identity: RunIdentity
  private var results: Set<Result> = []
  private var sequences: Set<UInt64> = []

  /// How many lines they are.
  private(set) var count = 0

  init(of identity: RunIdentity) { self.identity = identity }

  /// Takes a line, unless it is of another run.
  mutating func add(_ line: RecordLine) {
    guard let sequence = line["apnsID"].flatMap({ APNSID($0) }).flatMap(sequence) else { return }
    count += 1
    sequences.insert(sequence)
    results.insert(
      Result(
        sequence: sequence, outcome: line["outcome"],
        answeredAt: line["answeredAt"].flatMap { Int64($0) }))
  }

  private func sequence(of id: APNSID) -> UInt64? {
    if let given = identity.given { return id == given ? 1 : nil }
    return id.parts.flatMap { $0.run == identity.bits ? $0.sequence : nil }
  }

  /// Whether this result of a push is there, and not only one of another pass.
  func has(_ push: PushEntry) -> Bool {
    results.contains(
      Result(
        sequence: push.sequence, outcome: push.outcome.rawValue, answeredAt: push.answeredAt))
  }

  /// Whether something of a commit is there. Of a result that was replaced since, it is only known that
  /// its push was in the commit.
  func hasSome(of commit: RunCommit) -> Bool {
    let isKnown = Set(commit.pushes.map(\.sequence))
    return commit.pushes.contains(where: has)
      || commit.sequences.contains { !isKnown.contains($0) && sequences.contains($0) }
  }
}
