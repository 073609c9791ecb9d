internal import APNS
internal import History
internal import PushModel
package import Reporting

/// Where `--dead-tokens` go: the device tokens that APNs calls dead (410), as they come, in a form
/// that `--suppress` reads.
///
/// A token that was registered after APNs took it for dead is not in it. Neither is one that got
/// `BadDeviceToken`: the wrong environment gives the same answer to every token there is.
package struct DeadTokenFile {
  private var file: RecordFile
  private let listed: [String]

  /// How many were written.
  package private(set) var count = 0

  /// Opens the file, and changes nothing that is in it.
  ///
  /// - Parameter listed: the list's own columns that it gets.
  package init(_ path: String, listing listed: [String] = []) throws(Failure) {
    self.listed = listed
    guard let format = FileEnding(path: path)?.format else {
      let endings = FileEnding.list { $0.format != nil }
      throw .badSetting(name: "--dead-tokens", text: path, expected: "a name in \(endings)")
    }
    file = try RecordFile(
      path, format, columns: DeadToken<PushResult>.columns + listed, for: "dead tokens")
  }

  /// See ``RecordFile/begin(continues:)``.
  package mutating func begin(continues: Bool) throws(Failure) -> Bool {
    try file.begin(continues: continues)
  }

  /// Adds the dead device tokens of the last commit of a run that was killed, and goes on, if the file
  /// lacks them.
  package mutating func complete(from run: CommittedRun) throws(Failure) {
    guard run.wasKilled, file.wasThere, let last = try run.commit() else { return }
    var (written, rest) = (Set<String>(), WrittenResults.reserve + last.sequences.count)
    file.forEachLine { line in
      if let token = line["token"] { written.insert(token) }
      rest -= 1
      return rest > 0
    }
    write(run.told(last.pushes.filter { $0.showsDeadToken && !written.contains($0.token) }))
  }

  /// The path.
  package var path: String { file.path }

  /// Why a token could not be written; nil while all could.
  package var failure: FileFailure? { file.failure }

  /// Writes those of a batch whose device token is dead.
  package mutating func write(_ results: [some RecordedPush]) {
    let dead = results.filter(\.showsDeadToken).map { DeadToken(result: $0, listed: listed) }
    count += dead.count
    if !dead.isEmpty { file.write(dead) }
  }
}

/// A device token that gets nothing any more, with the answer that said so.
private struct DeadToken<Result: RecordedPush>: Record {
  static var columns: [String] { ["token", "reason", "timestamp", "list", "line"] }

  let result: Result
  let listed: [String]

  func encode(to encoder: inout some ColumnEncoder) {
    let response = result.response
    result.withToken { encoder.encode("token", digits: $0) }
    encoder.encode("reason", text: response?.reason?.rawValue)
    encoder.encode("timestamp", number: response?.timestamp)
    encoder.encode("list", text: result.list)
    encoder.encode("line", number: result.line)
    encoder.encode(listed, of: result)
  }
}

extension RecordedPush {
  /// Whether the answer, a 410, says that the device token is dead.
  var showsDeadToken: Bool {
    guard let response, response.deadToken == .yes, channel == nil else { return false }
    return !response.predates(registration: registered)
  }
}

extension Response {
  /// Whether the app registered the device token again, as its list says, after APNs took it for dead.
  ///
  /// - Parameter registered: in seconds since 1970; nil when it is not known.
  package func predates(registration registered: Int64?) -> Bool {
    guard let timestamp, let registered else { return false }
    return registered > timestamp / 1000
  }
}
