internal import JSONText
internal import POSIX
internal import Reporting
internal import Settings
internal import Synchronization
internal import WebServer

/// A command that sends, as a child, and what it has printed so far.
final class StudioRun: Sendable {
  let id: Int
  let words: [String]
  /// How many pushes are planned.
  private let pushes: Int
  private let child: Child
  private let state = Mutex(ChildOutput())

  init(_ id: Int, _ words: [String], of pushes: Int, _ child: Child) {
    (self.id, self.words, self.pushes, self.child) = (id, words, pushes, child)
  }

  var isRunning: Bool { state.withLock { $0.exitCode == nil } }

  /// The number of changes so far.
  var changes: Int { state.withLock(\.changes) }

  /// Ends it in order; a second time, it ends at once.
  func interrupt() { child.signal(SIGINT) }

  /// Reads until it has ended, on this thread.
  func follow(_ changes: Changes) {
    let status = child.finish { stream, bytes in
      state.withLock { $0.take(stream, bytes) }
      changes.tell()
      return true
    }
    state.withLock { $0.end(status) }
    changes.tell()
  }

  /// The run as JSON on one line.
  ///
  /// - Parameter position: results up to this one are left out, of the others the last come; nil
  ///   leaves out all and the summaries.
  /// - Returns: also the number of the last result and of the last change.
  func json(
    after position: Int?
  ) -> (bytes: [UInt8], results: Int, change: Int, isEnded: Bool) {
    state.withLock { state in
      let members: [(String, JSON)] = [
        ("id", .number(id)), ("words", JSON(.array(words.map { JSON(.string($0)) }))),
        ("state", state.exitCode == nil ? "running" : "ended"),
        ("pushes", .number(pushes)),
        ("exitCode", state.exitCode.map { .number(Int($0)) } ?? nil),
        ("counts", .object(state.counts.sorted { $0.key < $1.key }.map { ($0, .number($1)) })),
        ("errors", JSON(.string(String(decoding: state.errors, as: UTF8.self)))),
      ]
      var bytes = Array(JSON.object(members).encoded(.wire).dropLast())
      if let position {
        let new = state.results.suffix(min(StudioEvents.limit, state.resultCount - position))
        bytes += Array(#","results":["#.utf8) + new.joined(separator: [UInt8(ascii: ",")])
        bytes += Array(#"],"summaries":["#.utf8)
        bytes += state.summaries.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
      }
      let end = [UInt8(ascii: "}")]
      return (bytes + end, state.resultCount, state.changes, state.exitCode != nil)
    }
  }
}

/// The output of a run, as far as it is kept.
struct ChildOutput {
  /// The most lines of results, and of summaries, that are kept.
  static let lineLimit = 500
  /// The most of standard error, or of a line, that is kept, in bytes.
  private static let byteLimit = 64 << 10

  private(set) var exitCode: Int32?
  /// The number of results by outcome.
  private(set) var counts: [String: Int] = [:]
  /// The last lines of results, each an object.
  private(set) var results: [[UInt8]] = []
  /// The number of all results so far.
  private(set) var resultCount = 0
  /// The lines of `--json`.
  private(set) var summaries: [[UInt8]] = []
  private(set) var errors: [UInt8] = []
  /// The number of changes so far.
  private(set) var changes = 1
  /// The beginning of a line whose rest has not come yet.
  private var unread: [UInt8] = []

  mutating func end(_ status: Int32) {
    exitCode = status
    changes += 1
  }

  mutating func take(_ stream: Child.Stream, _ bytes: ArraySlice<UInt8>) {
    changes += 1
    guard stream == .output else { return errors = (errors + bytes).suffix(Self.byteLimit) }
    var lines = (unread + bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
    unread = lines.removeLast().suffix(Self.byteLimit)
    for line in lines where line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}") {
      take(line: Array(line))
    }
    results = results.suffix(Self.lineLimit)
    summaries = summaries.suffix(Self.lineLimit)
  }

  private mutating func take(line: [UInt8]) {
    guard line.starts(with: Self.result) else { return summaries.append(line) }
    results.append(line)
    resultCount += 1
    let outcome = line.firstRange(of: Self.outcome).map { line[$0.upperBound...] } ?? []
    let word = String(decoding: outcome.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    counts[word, default: 0] += 1
  }

  /// The beginning of a line of results, and of its outcome.
  private static let (result, outcome) = (
    Array(#"{"sequence":"#.utf8), Array(#","outcome":""#.utf8)
  )
}
