internal import HTTP2
package import History
internal import PlainText
internal import PushEmulator
internal import PushModel
package import Reporting
internal import Runs
internal import SQLHistory
package import Settings

/// Follows runs while they are being sent.
package struct HistoryTail: Sendable, Equatable {
  /// The runs and pushes to follow. A single run is followed to its end.
  package var filter = HistoryFilter()
  /// The number of existing results to show first.
  package var earlier = ListLimit(10)
  package var isJSON = false
  package var showsTokens = false
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    guard let ended = Wake() else { throw .emulator(.outOfDescriptors) }
    context.signals.take { ended.call() }
    let history = try filter.open(settings, context)
    return try answered(follow(history, until: ended, context))
  }

  private func follow(
    _ history: HistoryReader, until ended: Wake, _ context: Context
  ) throws(HistoryError) -> Report {
    let writer = EventWriter(asJSON: isJSON, showsTokens: showsTokens, context)
    var looks = Looks(try history.follower(filter), history, run: filter.runs.first)
    try looks.begin(last: earlier.count, writer)
    if history.isAtRest { return reportAtRest(history) }
    while true {
      try looks.look(writer)
      context.teller.data.flush()
      if let code = context.signals.received { return Report(code) }
      if context.teller.data.isReaderGone || context.teller.data.failure != nil { return Report() }
      if looks.hasEnded { return Report() }
      if try looks.isAbandoned() {
        // It may have ended just now.
        try looks.look(writer)
        return Report(looks.hasEnded ? .success : .unfinished)
      }
      context.clock.wait(ended, Looks.pause)
    }
  }

  private func reportAtRest(_ history: HistoryReader) -> Report {
    let note =
      "\(history.path.printable): read-only and not in use, so there is nothing to follow: later "
      + "changes would not be visible."
    let state = filter.runs.first.map { (try? history.run($0))??.state }
    let isOver = state.map { $0 != nil && $0 != .running } ?? true
    return Report(isOver ? .success : .unfinished).followed(by: [.lines([StyledText(note)])])
  }
}

private struct Looks {
  /// The wait between two looks, in milliseconds.
  static let pause = 200
  /// After this many looks without news, check whether the run is still being sent.
  private static let patience = 25

  private let follower: HistoryFollower
  private let history: HistoryReader
  private let run: RunNumber?
  private var idle = Self.patience

  /// - Parameter run: the run to follow to its end; nil for none.
  init(_ follower: HistoryFollower, _ history: HistoryReader, run: RunNumber?) {
    (self.follower, self.history, self.run) = (follower, history, run)
  }

  var hasEnded: Bool { run.map(follower.hasEnded) ?? false }

  func begin(last count: Int, _ writer: EventWriter) throws(HistoryError) {
    for push in try follower.begin(last: count) { writer.write(.push(push)) }
    if let run, hasEnded, let entry = try history.run(run) { writer.write(.ended(entry)) }
  }

  mutating func look(_ writer: EventWriter) throws(HistoryError) {
    idle += 1
    try follower.look { event in
      idle = 0
      writer.write(event)
    }
  }

  /// Decides whether the process sending the run has died, or the run was removed.
  mutating func isAbandoned() throws(HistoryError) -> Bool {
    guard let run, idle >= Self.patience else { return false }
    idle = 0
    let isBeingSent = history.isBeingSent(run)
    guard let entry = try history.run(run) else { throw .noSuchRun(run) }
    // Workers may join at any time.
    return !isBeingSent && entry.state != .enqueued
  }
}
