internal import APNS
internal import History
package import JSONText
package import Reporting

/// The file of `--dead-tokens`: device tokens that APNs reports as dead (410), written as they
/// arrive, in a form that `--suppress` reads.
///
/// It omits tokens registered after APNs considered them dead, and those rejected with
/// `BadDeviceToken`, which in the wrong environment is the answer to every token.
package struct DeadTokenFile {
  private var file: RecordFile
  private let listed: [String]

  /// The number of tokens that are in the file, without those of earlier passes.
  package private(set) var count = 0
  /// The number of tokens that could not be written.
  package private(set) var lost = 0

  /// Opens the file without changing its contents.
  ///
  /// - Parameter listed: the list's own columns to include.
  package init(_ path: String, listing listed: [String] = []) throws(Failure) {
    self.listed = listed
    guard let format = RecordFormat.of(path: path) else {
      throw .badSetting(
        name: "--dead-tokens", text: path, expected: "a name in \(RecordFormat.all.endings)")
    }
    file = try RecordFile(
      path, format.encoder(), columns: Outputs.deadToken.map(\.name) + listed,
      for: FileFailure.deadTokens)
  }

  /// See ``RecordFile/begin(continues:)``.
  package mutating func begin(continues: Bool) throws(Failure) -> Bool {
    try file.begin(continues: continues)
  }

  /// Adds dead tokens of a continued run that the file lacks since the last that it has. If it has
  /// none, only the last commit of a killed pass may be missing. Of a run that is over, all that it
  /// lacks are added: passes may have written other files, or none.
  ///
  /// - Returns: the number of tokens added.
  package mutating func complete(from run: CommittedRun) throws(Failure) -> Int {
    guard file.wasThere || run.isOver, let last = try run.commit() else { return 0 }
    let reserve = WrittenResults.reserve + last.sequences.count
    let written = tokens(mostly: run.isOver ? .max : reserve)
    let known = run.wasKilled ? last.number : nil
    let lastDead = run.isOver ? 1 : try run.lastCommit(ofDead: written)
    guard let first = lastDead ?? known else { return 0 }
    let before = count
    defer { count = before }
    try run.forEachCommit(from: first) { pushes in
      write(run.told(pushes.filter { $0.showsDeadToken && !written.contains($0.token) }))
    }
    return count - before
  }

  /// The last tokens in the file.
  private func tokens(mostly limit: Int) -> Set<String> {
    var (written, rest) = (Set<String>(), limit)
    file.forEachLine { line in
      if let token = line["token"] { written.insert(token) }
      rest -= 1
      return rest > 0
    }
    return written
  }

  /// The path.
  package var path: String { file.path }

  /// The reason a token could not be written; nil if there was no failure.
  package var failure: FileFailure? { file.failure }

  /// Writes the results of a batch whose device token is dead.
  package mutating func write<Result: RecordedPush>(_ results: [Result]) {
    let dead = results.filter(\.showsDeadToken)
    if dead.isEmpty { return }
    let written = file.write(dead, Result.deadToken + OutputField<Result>.listed(listed) { $0 })
    (count, lost) = (count + written, lost + dead.count - written)
  }
}

extension Outputs {
  package static let deadToken = DescribedPush.deadToken.keys()
}

extension RecordedPush {
  /// A device token that no longer receives pushes, with the answer that said so.
  fileprivate static var deadToken: [OutputField<Self>] {
    [
      .digits("token", "The whole device token.") { push, body in push.withToken { body($0) } },
      .reason { $0 }, .timestamp { $0 }, .text("list", { $0.list }, "The list of the recipient."),
      .integer("line", { Int64($0.line) }, "The recipient's line in the list."),
    ]
  }

  /// True if the answer, a 410, says that the device token is dead.
  var showsDeadToken: Bool {
    guard let response, response.deadToken == .yes, channel == nil else { return false }
    return !response.predates(registration: registered)
  }
}

extension Response {
  /// True if the list shows that the app registered the token again after APNs considered it dead.
  ///
  /// - Parameter registered: in seconds since 1970; nil if unknown.
  package func predates(registration registered: Int64?) -> Bool {
    guard let timestamp, let registered else { return false }
    return registered > timestamp / 1000
  }
}

extension CommittedRun {
  /// The last commit with one of these device tokens, as dead; nil if there is none.
  fileprivate func lastCommit(ofDead tokens: Set<String>) throws(Failure) -> Int64? {
    var number = tokens.isEmpty ? 0 : Int64.max
    while number > 0, let commit = try commit(upTo: number) {
      if commit.pushes.contains(where: { $0.showsDeadToken && tokens.contains($0.token) }) {
        return commit.number
      }
      number = commit.number - 1
    }
    return nil
  }
}
