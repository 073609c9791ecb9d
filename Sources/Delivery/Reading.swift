internal import APNS
internal import HTTP2
internal import PushModel
internal import Synchronization

/// How far the reader has come.
struct ReadingProgress {
  /// What became of the lines whose recipients were handed on. The figures of a chunk are in it
  /// before anybody can have the chunk.
  var counts = RecipientCounts()
  /// How many pushes were handed on, without those of which nothing was left to do.
  var handedOn = 0
  /// How much of the lists is read.
  var extent = ListExtent()
  /// The last recipient that was handed on; nil before the first.
  var place: UnreadRecipients.Place?
  /// Whether there is nothing left to read.
  var hasEnded = false

  /// How many pushes the lists have; nil when that is not known yet.
  var total: PushTotal? {
    if hasEnded { return PushTotal(count: counts.pushes, isExact: true) }
    return extent.total(after: counts.pushes)
  }

  /// How many pushes this pass has to finish; nil when that is not known yet.
  ///
  /// - Parameter plan: what was left to do of a run that is resumed; nil for a new one.
  func total(_ plan: ResumePlan?) -> PushTotal? { plan.map { $0.left(of: total) } ?? total }

  /// What no pass of the run has read; nil when one came to the end of the lists.
  ///
  /// - Parameter plan: what was left to do of a run that is resumed; nil for a new one.
  func unread(_ plan: ResumePlan?) -> UnreadRecipients? {
    let rest = extent.rest(after: counts.pushes)
    if hasEnded || rest == 0 { return nil }
    if let last = plan?.last, counts.pushes <= last { return nil }
    // An earlier pass may have read further than this one; where to is not known here.
    let further = max(0, (plan?.recipients.pushes ?? 0) - counts.pushes)
    return UnreadRecipients(
      after: further == 0 ? place : nil, count: rest.map { max(1, $0 - further) })
  }
}

/// The work of the reader's thread, and what other threads may know of it.
final class Reading<Source: PushSource & ~Copyable>: Sendable {
  private struct State: ~Copyable {
    var recipients: Source
    var resumption: Resumption?

    /// The next chunk of which something is left to do; nil at the end.
    mutating func next() throws -> PushChunk? {
      while let chunk = try recipients.next() {
        guard resumption != nil else { return chunk }
        if let rest = try resumption?.rest(of: chunk) { return rest }
      }
      return nil
    }
  }

  private let state: Mutex<State>
  private let published = Mutex(ReadingProgress())

  /// - Parameter resumption: what is left of a run that is resumed; nil for a new one.
  init(
    _ recipients: consuming sending Source, _ resumption: consuming sending Resumption?
  ) {
    state = Mutex(State(recipients: recipients, resumption: resumption))
  }

  /// How far the reader has come.
  var progress: ReadingProgress { published.withLock { $0 } }

  /// Reads all recipients and hands them on; ends early when the queue is closed.
  ///
  /// - Parameter gate: lets recipients pass once they are claimed; nil without claims.
  func putAll(
    into work: ChunkQueue<PushChunk>, through gate: ClaimGate?, wake: Wake, control: RunControl
  ) {
    state.withLock { state in
      var hasEnded = false
      do {
        while let chunk = try state.next() {
          let (counts, extent) = (state.recipients.counts, state.recipients.extent)
          gate?.pass(upTo: chunk.lastSequence, waitingOn: wake)
          let place = UnreadRecipients.Place(
            list: chunk.list, line: chunk.line(at: chunk.count - 1))
          guard
            work.put(chunk, wake: wake, commit: { publish(counts, extent, place, chunk.openCount) })
          else { return }
        }
        hasEnded = true
      } catch {
        control.stop(StopCause(reading: error))
      }
      publish(state.recipients.counts, state.recipients.extent, hasEnded: hasEnded)
    }
    work.producerDone()
  }

  private func publish(
    _ counts: RecipientCounts, _ extent: ListExtent, _ place: UnreadRecipients.Place? = nil,
    _ handedOn: Int = 0, hasEnded: Bool = false
  ) {
    published.withLock { progress in
      progress.counts = counts
      progress.handedOn += handedOn
      progress.extent = extent
      progress.place = place ?? progress.place
      progress.hasEnded = hasEnded
    }
  }
}

extension StopCause {
  /// What a failure to read on means for the run.
  fileprivate init(reading error: any Error) {
    switch error {
    case let error as ListError: self = .list(error)
    case let error as HistoryError: self = .history(error)
    default: self = .interrupted
    }
  }
}

extension PushChunk {
  /// How many pushes there are of which something is left to do.
  var openCount: Int { isWhole ? count : (0..<count).count { step(at: $0) != .leave } }
}
