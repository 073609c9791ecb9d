internal import HTTP2
internal import POSIX
internal import Synchronization
internal import WebServer

/// The runs of a studio: a few at a time, and the last ones that have ended.
final class StudioRuns: Sendable {
  /// The most that run at a time.
  static let width = 8
  /// The most that are kept.
  static let kept = 50

  private let program: ChildProgram
  private let changes: Changes
  private let runs = Mutex<[StudioRun]>([])

  init(_ program: ChildProgram, _ changes: Changes) {
    (self.program, self.changes) = (program, changes)
  }

  var all: [StudioRun] { runs.withLock(\.self) }

  subscript(id: Int) -> StudioRun? { all.first { $0.id == id } }

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - words: as they were asked for.
  ///   - pushes: how many are planned.
  ///   - added: what the studio adds to them.
  func begin(
    _ words: [String], of pushes: Int, adding added: [String]
  ) throws(HTTPRefusal) -> StudioRun {
    try runs.withLock { runs throws(HTTPRefusal) in
      if runs.count(where: \.isRunning) >= Self.width { throw .tooManyRuns }
      guard let child = Child(program, words + added, input: nil) else { throw .noChild }
      let run = StudioRun((runs.last?.id ?? 0) + 1, words, of: pushes, child)
      guard Thread.start({ [changes] in run.follow(changes) }) else {
        child.signal(SIGKILL)
        _ = child.finish { _, _ in true }
        throw .noChild
      }
      if runs.count >= Self.kept, let old = runs.firstIndex(where: { !$0.isRunning }) {
        runs.remove(at: old)
      }
      runs.append(run)
      return run
    }
  }

  /// Ends all runs in order, and returns when they have ended.
  func stop() {
    guard let wake = Wake() else { return }
    for run in all where run.isRunning { run.interrupt() }
    while all.contains(where: \.isRunning) {
      changes.call { wake.call() }
      if all.contains(where: \.isRunning) { wake.wait(milliseconds: nil) }
    }
  }
}

extension HTTPRefusal {
  fileprivate static var tooManyRuns: HTTPRefusal {
    HTTPRefusal(
      429, "\(StudioRuns.width) runs are under way already.",
      fix: "Wait for one to end, or cancel it.")
  }

  fileprivate static var noChild: HTTPRefusal {
    HTTPRefusal(
      unavailable, "The system cannot start another process.", fix: "Try again later.")
  }
}

/// A run as server-sent events (HTML Standard, section 9.2): what has changed, a few times a second,
/// until it has ended.
final class StudioEvents: BodyStream, @unchecked Sendable {
  /// The time between two events, in milliseconds.
  static let interval: Int64 = 250
  /// The most results in an event.
  static let limit = 200

  private let run: StudioRun
  private let place: StreamPlace
  private var (results, change) = (0, 0)
  private var next: Int64 = 0
  private var isEnded = false
  private var heartbeat = KeepAliveSchedule()

  init(_ run: StudioRun, _ place: StreamPlace) { (self.run, self.place) = (run, place) }

  func next(now: Int64) -> BodyPiece {
    if isEnded { return .end }
    if now < next { return .nothing(until: next) }
    if run.changes == change {
      if heartbeat.isDue(now) { return .bytes(Array(": still here\n\n".utf8)) }
      return .nothing(until: heartbeat.next(now))
    }
    let state = run.json(after: results)
    (results, change, isEnded) = (state.results, state.change, state.isEnded)
    next = now + Self.interval
    return .bytes(Array("data: ".utf8) + state.bytes + Array("\n\n".utf8))
  }
}
